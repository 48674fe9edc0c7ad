// SPDX-License-Identifier: GPL-3.0-or-later
// Every decoder of the protocol on any answer: it gives a value or says what is wrong, and never both nor neither.
#include "backend/protocol/filesystem_codec.h"
#include "backend/protocol/log_book.h"
#include "backend/protocol/logs_codec.h"
#include "backend/protocol/metrics_codec.h"
#include "backend/protocol/node_codec.h"
#include "backend/protocol/process_codec.h"
#include "backend/protocol/sandbox_codec.h"
#include "backend/protocol/snapshot_codec.h"
#include "backend/protocol/stored_secret_codec.h"
#include "backend/protocol/team_codec.h"
#include "backend/protocol/template_build_codec.h"
#include "backend/protocol/template_codec.h"
#include "backend/protocol/volume_codec.h"
#include "tests/fuzz/fuzz_target.h"

#include <cstdlib>

using namespace boxdeck;
using namespace boxdeck::protocol;

namespace {

template <typename T> void check(const Result<T> &result)
{
    if (!result && (result.error().message.isEmpty() || result.error().code != QLatin1String("bad_answer")))
        std::abort();
}

/// Whatever pages are put together: each moment stands behind the one before it.
void checkLog(const Result<QList<LogEntry>> &page)
{
    check(page);
    if (!page)
        return;
    LogBook book;
    for (const LogDirection read : {LogDirection::Forward, LogDirection::Backward}) {
        book.add(page->mid(page->size() / 2), read);
        book.add(*page, read);
    }
    qint64 before = 0;
    for (const LogEntry &entry : book.entries()) {
        if (entry.timeNs != 0 && entry.timeNs < before && before != 0)
            std::abort();
        before = entry.timeNs != 0 ? entry.timeNs : before;
    }
}

} // namespace

std::vector<std::string> boxdeck::fuzz::seeds()
{
    return {
        R"([{"templateID":"k3","alias":"base","sandboxID":"i7","startedAt":"2026-03-02T10:11:12.345678Z","endAt":null,)"
        R"("cpuCount":2,"memoryMB":"512","metadata":{"owner":7},"state":"running","envdVersion":"0.6.13"}])",
        R"({"sandboxID":"i1","state":"paused","envdAccessToken":"4b","lifecycle":{"autoResume":true},"limits":{}})",
        R"({"data":[{"templateID":"t","names":["a"],"buildStatus":"READY","reason":{"message":"x"}}]})",
        R"({"entries":[{"name":"x","path":"/d/x","type":2,"size":"12","mode":420,"symlinkTarget":"/y"}]})",
        R"({"entry":{"name":"..","path":"/d/..","type":"FILE_TYPE_DIRECTORY","modifiedTime":"2026-03-02T10:11:12Z"}})",
        R"({"filesystem":{"name":"a/b","type":"EVENT_TYPE_CREATE","entry":{"name":"b"}}})",
        R"({"event":{"data":{"stdout":"aGkK","pty":"/+8="}}})",
        R"({"event":{"end":{"exit_code":-1,"status":"signal: killed","error":"signal: killed"}}})",
        R"({"processes":[{"config":{"cmd":"sh","args":["-c"],"envs":{"A":"b"},"cwd":"/"},"pid":9,"tag":"t"}]})",
        R"([{"sandbox":{"sandboxID":"if1"}},{"error":{"code":503,"message":"full"}}])",
        R"({"sandboxID":"i1","network":{"allowOut":["a"],"rules":{"a":[{"transform":{"headers":{"X":"y"}}}]}},)"
        R"("volumeMounts":[{"name":"v","path":"/m"}]})",
        R"({"logs":[{"timestamp":"2026-03-02T10:00:00.123456789Z","line":"x"},{"timestamp":"1999-01-01 00:00:00,5-0130",)"
        R"("message":"y","level":"warn","fields":{"a":1}}],"logEntries":null})",
        R"([{"timestampUnix":1772446320,"cpuUsedPct":"12.5","memUsed":"7"}])",
        R"({"sandboxes":{"i1":{"timestampUnix":1},"i2":null}})",
        R"({"templateID":"t","status":"error","reason":{"message":"m","step":"2"},"logEntries":[{"message":"x"}],"logs":["y"],)"
        R"("builds":[{"buildID":"b","status":"ready"}],"buildID":"b","names":["n"],"tags":["default"]})",
        R"({"present":false,"url":"https://s/x?y=%2F","headers":{"a":"b"}})",
        R"({"id":"k","name":"n","key":"v","mask":{"valueLength":40},"createdBy":{"id":"u"}})",
        R"({"id":"n","status":"DRAINING","metrics":{"disks":[{"usedBytes":1}]},"machineInfo":{}})",
        R"({"secretID":"s","volumeID":"v","token":"t","name":"n","type":"file","size":"7","metadata":{"a":"b"}})",
        "null",
        "[[[[[[[[",
        "1e999"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray json(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    check(decodeSandboxList(json));
    check(decodeSandboxDetail(json));
    check(decodeSandboxAccess(json));
    check(decodeTemplateList(json));
    check(decodeForks(json));
    check(decodeTemplateDetail(json));
    check(decodeTemplateRequested(json));
    check(decodeLayerUpload(json));
    check(decodeTemplateTags(json));
    check(decodeTemplateNames(json));
    check(decodeMetrics(json));
    check(decodeLatestMetrics(json));
    check(decodeTeamPeak(json));
    check(decodeSnapshots(json));
    check(decodeTeams(json));
    check(decodeCreatedKey(json));
    check(decodeVolumeAccess(json));
    check(decodeVolumeEntries(json));
    check(decodeStoredSecret(json));
    check(decodeNode(json));
    check(decodeCounts(json));
    checkLog(decodeLogs(json));
    if (const auto info = decodeBuildInfo(json))
        checkLog(info->logEntries);
    check(decodeEntry(json));
    check(decodeWatchEvent(json));
    check(decodeProcessEvents(json));
    check(decodeProcessList(json));
    const auto entries = decodeEntries(json);
    check(entries);
    if (entries) {
        for (const EntryInfo &entry : *entries) {
            // What passes may be joined to a folder: it stays inside.
            if (entry.isDirectChildOf(RemotePath()) && !RemotePath().child(entry.name))
                std::abort();
        }
    }
    return 0;
}
