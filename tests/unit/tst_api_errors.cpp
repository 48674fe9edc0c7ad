// SPDX-License-Identifier: GPL-3.0-or-later
// The neutral taxonomy (protocol/lifecycle.md section 9) over every error status, every kind of call and every code.
#include "backend/api/errors.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::net;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

class TestApiErrors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void controlPlaneStatuses_data() { everyStatus(); }
    void controlPlaneStatuses();
    void statusesThatMeanSomethingElse_data();
    void statusesThatMeanSomethingElse();
    void fileStatuses_data() { everyStatus(); }
    void fileStatuses();
    void rpcStatuses_data() { everyStatus(); }
    void rpcStatuses();
    void connectCodesWinOverTheStatus_data();
    void connectCodesWinOverTheStatus();
    void numericCodesOfRpcBodies_data();
    void numericCodesOfRpcBodies();
    void proxyAnswers_data();
    void proxyAnswers();
    void retryAfterForms_data();
    void retryAfterForms();
    void requestIds_data();
    void requestIds();
    void hostileBodiesAreBounded_data();
    void hostileBodiesAreBounded();
    void onlyTwoKindsDropABinding();

private:
    static void everyStatus();
};

namespace {

constexpr int firstStatus = 400;
constexpr int lastStatus = 599;

using K = ErrorKind;

/// What the tables say of a status that nothing else changes. Written down a second time on purpose: from the
/// protocol's table, not from the code.
K plainKind(int status)
{
    static const QMap<int, K> table{
        {400, K::InvalidRequest}, {422, K::InvalidRequest}, {416, K::InvalidRequest}, // a range is the caller's
        {401, K::Authentication}, {403, K::Authentication}, {404, K::NotFound},       {405, K::Unsupported},
        {415, K::Unsupported},    {501, K::Unsupported},    {408, K::Timeout},        {504, K::Timeout},
        {409, K::Conflict},       {410, K::Terminal},       {413, K::Capacity},       {429, K::Capacity},
        {507, K::Capacity}};
    return table.value(status, status >= 500 ? K::Unavailable : K::Internal);
}

struct CodeRow
{
    const char *code;
    K kind;
};

/// Every code of the Connect protocol.
const QList<CodeRow> connectCodes{
    {"canceled", K::Timeout},
    {"deadline_exceeded", K::Timeout},
    {"unavailable", K::Unavailable},
    {"unauthenticated", K::Authentication},
    {"permission_denied", K::Authentication},
    {"resource_exhausted", K::Capacity},
    {"invalid_argument", K::InvalidRequest},
    {"out_of_range", K::InvalidRequest},
    {"not_found", K::NotFound},
    {"already_exists", K::Conflict},
    {"aborted", K::Conflict},
    {"failed_precondition", K::Conflict},
    {"unimplemented", K::Unsupported},
    {"internal", K::Internal},
    {"data_loss", K::Internal},
    {"unknown", K::Internal},
};

/// The code behind a plain HTTP failure of an RPC (protocol/envd.md section 8.6).
QString plainCode(int status)
{
    static const QMap<int, QString> table{
        {400, u"invalid_argument"_s},   {401, u"unauthenticated"_s},   {403, u"permission_denied"_s},
        {404, u"not_found"_s},          {409, u"already_exists"_s},    {413, u"resource_exhausted"_s},
        {429, u"resource_exhausted"_s}, {499, u"canceled"_s},          {500, u"internal"_s},
        {501, u"unimplemented"_s},      {505, u"unimplemented"_s},     {502, u"unavailable"_s},
        {503, u"unavailable"_s},        {504, u"deadline_exceeded"_s},
    };
    return table.value(status, u"unknown"_s);
}

K kindOfCode(const QString &code)
{
    for (const CodeRow &row : connectCodes) {
        if (code == QLatin1String(row.code))
            return row.kind;
    }
    return K::Internal;
}

struct Body
{
    const char *name;
    QByteArray bytes;
    QString message; ///< empty: the reason phrase
    QString code;
};

/// Everything servers and what stands before them were seen to answer errors with.
QList<Body> bodies(int status)
{
    const QByteArray number = QByteArray::number(status);
    return {
        {"the reference", R"({"code":)" + number + R"(,"message":"it failed"})", u"it failed"_s, {}},
        {"with an error code", R"({"code":)" + number + R"(,"error_code":"odd_thing","message":"it failed"})",
         u"it failed"_s, u"odd_thing"_s},
        {"code as text", R"({"code":"some_word","message":"it failed"})", u"it failed"_s, u"some_word"_s},
        {"number as text", R"({"code":")" + number + R"(","message":"it failed"})", u"it failed"_s, {}},
        {"no code", R"({"message":"it failed"})", u"it failed"_s, {}},
        {"code null", R"({"code":null,"message":"it failed"})", u"it failed"_s, {}},
        {"error", R"({"error":"it failed"})", u"it failed"_s, {}},
        {"error with a message", R"({"error":{"message":"it failed"}})", u"it failed"_s, {}},
        {"detail", R"({"detail":"it failed"})", u"it failed"_s, {}},
        {"a list of details", R"({"detail":[{"loc":["body","timeout"],"msg":"it failed"}]})", u"it failed"_s, {}},
        {"message of another type", R"({"message":{"a":1}})", {}, {}},
        {"an empty object", "{}", {}, {}},
        {"JSON that is no object", "[]", u"[]"_s, {}},
        {"cut JSON", R"({"code":500,"mess)", {}, {}},
        {"text", "it failed\n", u"it failed"_s, {}},
        {"a page", "<!doctype html>\n<html><title>" + number + "</title></html>", {}, {}},
        {"a page after blanks", "\r\n  <html></html>", {}, {}},
        {"nothing", {}, {}, {}},
        {"blanks", " \r\n\t ", {}, {}},
    };
}

HttpResponse answerOf(int status, const QByteArray &body)
{
    return {.status = status, .headers = {{"X-Request-Id", "req-1"}, {"Retry-After", "7"}}, .body = body};
}

/// What holds for the error of any answer, whatever it says.
void checkCommon(const Error &error, int status, const Body &body)
{
    QCOMPARE(error.delivery, Delivery::Answered);
    QCOMPARE(error.httpStatus, status);
    QCOMPARE(error.requestId, u"req-1"_s);
    QVERIFY(error.retryAfter == 7s);
    if (body.message.isEmpty())
        QVERIFY2(error.message.startsWith(u"HTTP "_s + QString::number(status)), qPrintable(error.message));
    else
        QCOMPARE(error.message, body.message);
}

} // namespace

void TestApiErrors::everyStatus()
{
    QTest::addColumn<int>("status");
    for (int status = firstStatus; status <= lastStatus; ++status)
        QTest::addRow("%d", status) << status;
}

void TestApiErrors::controlPlaneStatuses()
{
    QFETCH(int, status);
    for (const Body &body : bodies(status)) {
        for (const Operation operation :
             {Operation::Other, Operation::Create, Operation::Connect, Operation::Get, Operation::List,
              Operation::Build, Operation::BuildStatus, Operation::DeleteTemplate}) {
            K expected = plainKind(status);
            if (status == 404 && (operation == Operation::Create || operation == Operation::Build))
                expected = K::InvalidRequest;
            if (status == 404 && operation == Operation::List)
                expected = K::Unsupported;
            if (status == 400 && operation == Operation::BuildStatus)
                expected = K::NotFound;
            if (status == 400 && operation == Operation::DeleteTemplate)
                expected = K::Conflict;
            const Error error = controlError(answerOf(status, body.bytes), operation);
            QVERIFY2(error.kind == expected, qPrintable(u"%1, operation %2: %3"_s.arg(QLatin1String(body.name))
                                                            .arg(int(operation))
                                                            .arg(kindName(error.kind))));
            QCOMPARE(error.code, body.code);
            checkCommon(error, status, body);
        }
    }
}

void TestApiErrors::statusesThatMeanSomethingElse_data()
{
    QTest::addColumn<Operation>("operation");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<ErrorKind>("kind");
    using O = Operation;
    const auto row = [](const char *name, O operation, int status, const char *text, K kind) {
        QTest::newRow(name) << operation << status << QByteArray(text) << kind;
    };
    row("connect: invalid sandbox id", O::Connect, 400, "Invalid sandbox ID", K::NotFound);
    row("connect: in other words", O::Connect, 400, "bad request: INVALID SANDBOX ID 'x--y'", K::NotFound);
    row("connect: another 400", O::Connect, 400, "validation error: timeout", K::InvalidRequest);
    row("connect: the same with 422", O::Connect, 422, "Invalid sandbox ID", K::InvalidRequest);
    row("get: invalid sandbox id", O::Get, 400, "invalid sandbox id", K::NotFound);
    row("get: another 400", O::Get, 400, "validation error", K::InvalidRequest);
    row("create: invalid sandbox id is no missing sandbox", O::Create, 400, "Invalid sandbox ID", K::InvalidRequest);
    row("create: unknown template", O::Create, 404, "template 'x' not found", K::InvalidRequest);
    row("create: unknown template elsewhere", O::Create, 400, "template 'x' not found", K::InvalidRequest);
    row("create: no room", O::Create, 503, "Failed to place sandbox", K::Unavailable);
    row("create: limit", O::Create, 429, "maximum number of concurrent sandboxes", K::Capacity);
    row("build: unknown base", O::Build, 404, "template 'x' not found", K::InvalidRequest);
    row("build: already started", O::Build, 400, "build is not in waiting state", K::InvalidRequest);
    row("build status: unknown build", O::BuildStatus, 400, "no such build", K::NotFound);
    row("build status: unknown build elsewhere", O::BuildStatus, 404, "no such build", K::NotFound);
    row("delete template: in use", O::DeleteTemplate, 400,
        "cannot delete template 'x' because there are paused sandboxes using it", K::Conflict);
    row("delete template: gone", O::DeleteTemplate, 404, "template not found", K::NotFound);
}

void TestApiErrors::statusesThatMeanSomethingElse()
{
    QFETCH(Operation, operation);
    QFETCH(int, status);
    QFETCH(QByteArray, text);
    QFETCH(ErrorKind, kind);
    const QByteArray json = R"({"code":)" + QByteArray::number(status) + R"(,"message":")" + text + "\"}";
    for (const QByteArray &body : {json, text}) {
        const Error error = controlError(answerOf(status, body), operation);
        QCOMPARE(error.kind, kind);
        QCOMPARE(error.message, QString::fromLatin1(text));
    }
}

void TestApiErrors::fileStatuses()
{
    QFETCH(int, status);
    for (const Body &body : bodies(status)) {
        const Error error = filesError(answerOf(status, body.bytes));
        QCOMPARE(error.kind, plainKind(status));
        const bool hasWord = body.code == u"some_word";
        QCOMPARE(error.code, hasWord ? body.code : u"http_"_s + plainCode(status));
        checkCommon(error, status, body);
    }
}

void TestApiErrors::rpcStatuses()
{
    QFETCH(int, status);
    K expected = kindOfCode(plainCode(status));
    if (status == 404 || status == 405 || status == 415)
        expected = K::Unsupported; // no such RPC there: never a missing file or process
    for (const Body &body : bodies(status)) {
        const Error error = connectErrorOf(answerOf(status, body.bytes));
        QVERIFY2(error.kind == expected, qPrintable(QLatin1String(body.name) + u": "_s + kindName(error.kind)));
        QCOMPARE(error.code, u"http_"_s + plainCode(status));
        checkCommon(error, status, body);
    }
}

void TestApiErrors::connectCodesWinOverTheStatus_data()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<ErrorKind>("kind");
    for (const CodeRow &row : connectCodes)
        QTest::newRow(row.code) << QString::fromLatin1(row.code) << row.kind;
}

void TestApiErrors::connectCodesWinOverTheStatus()
{
    QFETCH(QString, code);
    QFETCH(ErrorKind, kind);
    const Body body{"a Connect error", R"({"code":")" + code.toLatin1() + R"(","message":"it failed","details":[]})",
                    u"it failed"_s, code};
    // Older tables of statuses differ (protocol/compat.md 3.23), so none may matter.
    for (int status = firstStatus; status <= lastStatus; ++status) {
        const Error error = connectErrorOf(answerOf(status, body.bytes));
        QCOMPARE(error.kind, kind);
        QCOMPARE(error.code, code);
        checkCommon(error, status, body);
    }
    // The same inside a stream, where there is no status.
    const Error inStream = connectErrorOf(QJsonDocument::fromJson(body.bytes).object());
    QCOMPARE(inStream.kind, kind);
    QCOMPARE(inStream.code, code);
    QCOMPARE(inStream.message, u"it failed"_s);
    QCOMPARE(inStream.delivery, Delivery::Answered);
}

void TestApiErrors::numericCodesOfRpcBodies_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("expected");
    QTest::newRow("wins over the status") << 500 << "429"_ba << K::Capacity << u"http_resource_exhausted"_s;
    QTest::newRow("as text") << 500 << "\"401\""_ba << K::Authentication << u"http_unauthenticated"_s;
    QTest::newRow("of gRPC") << 503 << "5"_ba << K::Unavailable << u"http_unavailable"_s;
    QTest::newRow("no error") << 503 << "200"_ba << K::Unavailable << u"http_unavailable"_s;
    QTest::newRow("a success with an error in it") << 200 << "404"_ba << K::Unsupported << u"http_not_found"_s;
    QTest::newRow("negative") << 503 << "-1"_ba << K::Unavailable << u"http_unavailable"_s;
    QTest::newRow("huge") << 503 << "1e300"_ba << K::Unavailable << u"http_unavailable"_s;
    QTest::newRow("a fraction") << 503 << "404.5"_ba << K::Unavailable << u"http_unavailable"_s;
    QTest::newRow("a list") << 503 << "[404]"_ba << K::Unavailable << u"http_unavailable"_s;
    QTest::newRow("a word in capitals") << 503 << "\"NOT_FOUND\""_ba << K::Unavailable << u"http_unavailable"_s;
}

void TestApiErrors::numericCodesOfRpcBodies()
{
    QFETCH(int, status);
    QFETCH(QByteArray, code);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, expected);
    const Error error = connectErrorOf(answerOf(status, R"({"code":)" + code + R"(,"message":"x"})"));
    QCOMPARE(error.kind, kind);
    QCOMPARE(error.code, expected);
    QCOMPARE(error.httpStatus, status);
}

void TestApiErrors::proxyAnswers_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("code");
    QTest::newRow("not running") << 502 << R"({"sandboxId":"i1","message":"The sandbox was not found","code":502})"_ba
                                 << K::Unavailable << u"http_bad_gateway"_s;
    QTest::newRow("port closed") << 502
                                 << R"({"sandboxId":"i1","message":"port is not open","port":8080,"code":502})"_ba
                                 << K::Unavailable << u"http_bad_gateway"_s;
    QTest::newRow("node unreachable") << 502 << "Failed to route request to sandbox"_ba << K::Unavailable
                                      << u"http_unavailable"_s;
    QTest::newRow("traffic token") << 403
                                   << R"({"sandboxId":"i1","message":"Missing traffic access token","code":403})"_ba
                                   << K::Authentication << u"http_permission_denied"_s;
    QTest::newRow("too many connections")
        << 429 << R"({"code":429,"message":"too many connections"})"_ba << K::Capacity << u"http_resource_exhausted"_s;
}

void TestApiErrors::proxyAnswers()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, code);
    for (const Error &error : {connectErrorOf(answerOf(status, body)), filesError(answerOf(status, body))}) {
        QCOMPARE(error.kind, kind);
        QCOMPARE(error.code, code);
        QVERIFY(!provesGone(error.kind)); // only the control plane knows
    }
}

void TestApiErrors::retryAfterForms_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("date");
    QTest::addColumn<qint64>("seconds"); // -1: none
    const QByteArray now = "Mon, 02 Mar 2026 10:00:00 GMT";
    QTest::newRow("seconds") << "7"_ba << now << qint64(7);
    QTest::newRow("at once") << "0"_ba << now << qint64(0);
    QTest::newRow("with blanks") << " 7 "_ba << now << qint64(7);
    QTest::newRow("a date") << "Mon, 02 Mar 2026 10:01:30 GMT"_ba << now << qint64(90);
    QTest::newRow("a date with an offset") << "Mon, 02 Mar 2026 12:01:30 +0200"_ba << now << qint64(90);
    QTest::newRow("a date that has passed") << "Mon, 02 Mar 2026 09:00:00 GMT"_ba << now << qint64(0);
    QTest::newRow("a date of a server without a clock")
        << "Mon, 02 Mar 2026 10:01:30 GMT"_ba << QByteArray() << qint64(-1);
    QTest::newRow("a far date") << "Mon, 02 Mar 2099 10:00:00 GMT"_ba << now << qint64(86400);
    QTest::newRow("a year") << "31536000"_ba << now << qint64(86400);
    QTest::newRow("more than a number holds") << QByteArray(40, '9') << now << qint64(86400);
    QTest::newRow("negative") << "-7"_ba << now << qint64(-1);
    QTest::newRow("signed") << "+7"_ba << now << qint64(-1);
    QTest::newRow("a fraction") << "7.5"_ba << now << qint64(-1);
    QTest::newRow("a unit") << "7s"_ba << now << qint64(-1);
    QTest::newRow("hexadecimal") << "0x7"_ba << now << qint64(-1);
    QTest::newRow("a word") << "soon"_ba << now << qint64(-1);
    QTest::newRow("another kind of date") << "2026-03-02T10:01:30Z"_ba << now << qint64(-1);
    QTest::newRow("empty") << ""_ba << now << qint64(-1);
}

void TestApiErrors::retryAfterForms()
{
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, date);
    QFETCH(qint64, seconds);
    HttpResponse response{.status = 429, .headers = {{"retry-after", value}}, .body = "{}"};
    if (!date.isEmpty())
        response.headers.emplace_back("date", date);
    for (const Error &error :
         {controlError(response, Operation::Connect), filesError(response), connectErrorOf(response)}) {
        QCOMPARE(error.kind, K::Capacity);
        QCOMPARE(error.retryAfter.has_value() ? qint64(error.retryAfter->count()) : qint64(-1), seconds);
    }
}

void TestApiErrors::requestIds_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("id");
    QTest::newRow("usual") << "X-Request-Id"_ba
                           << "r1"_ba << u"r1"_s;
    QTest::newRow("any case") << "x-request-id"_ba
                              << "r1"_ba << u"r1"_s;
    QTest::newRow("short") << "Request-Id"_ba
                           << "r1"_ba << u"r1"_s;
    QTest::newRow("a trace") << "X-Trace-Id"_ba
                             << "t1"_ba << u"t1"_s;
    QTest::newRow("of a CDN") << "CF-Ray"_ba
                              << "8c-FRA"_ba << u"8c-FRA"_s;
    QTest::newRow("endless") << "X-Request-Id"_ba << QByteArray(5000, 'x') << QString(128, u'x');
    QTest::newRow("another header") << "X-Cache"_ba
                                    << "HIT"_ba << QString();
}

void TestApiErrors::requestIds()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, value);
    QFETCH(QString, id);
    const HttpResponse response{.status = 500, .headers = {{name, value}}, .body = {}};
    QCOMPARE(controlError(response, Operation::Other).requestId, id);
    QCOMPARE(filesError(response).requestId, id);
    QCOMPARE(connectErrorOf(response).requestId, id);
}

void TestApiErrors::hostileBodiesAreBounded_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("a long text") << QByteArray(5'000'000, 'x');
    QTest::newRow("a long message") << R"({"message":")" + QByteArray(5'000'000, 'x') + "\"}";
    QTest::newRow("deep nesting") << QByteArray(100'000, '[');
    QTest::newRow("deep errors") << QByteArray("{\"error\":").repeated(500) + "1" + QByteArray(500, '}');
    QTest::newRow("deep lists") << R"({"detail":)" + QByteArray(500, '[') + QByteArray(500, ']') + '}';
    QTest::newRow("no text at all") << QByteArray::fromHex("00ff80fe0001");
    QTest::newRow("half a character") << QByteArray("caf\xc3");
}

void TestApiErrors::hostileBodiesAreBounded()
{
    QFETCH(QByteArray, body);
    for (const Error &error : {controlError(answerOf(500, body), Operation::Other), filesError(answerOf(500, body)),
                               connectErrorOf(answerOf(500, body))}) {
        QVERIFY(!error.message.isEmpty());
        QVERIFY(error.message.size() <= 2000);
    }
}

void TestApiErrors::onlyTwoKindsDropABinding()
{
    for (const K kind : {K::Authentication, K::InvalidRequest, K::Unsupported, K::Conflict, K::Capacity, K::Timeout,
                         K::Unavailable, K::Internal, K::Local})
        QVERIFY2(!provesGone(kind), kindName(kind).data());
    QVERIFY(provesGone(K::NotFound));
    QVERIFY(provesGone(K::Terminal));
    // No status of a create, a list or an RPC's way in may look like that but the two that say so.
    for (int status = firstStatus; status <= lastStatus; ++status) {
        QCOMPARE(provesGone(controlError(answerOf(status, {}), Operation::Get).kind), status == 404 || status == 410);
        QCOMPARE(provesGone(controlError(answerOf(status, {}), Operation::Create).kind), status == 410);
        QVERIFY(!provesGone(connectErrorOf(answerOf(status, {})).kind));
    }
}

QTEST_GUILESS_MAIN(TestApiErrors)
#include "tst_api_errors.moc"
