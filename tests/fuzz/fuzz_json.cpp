// SPDX-License-Identifier: GPL-3.0-or-later
// Every decoder of the protocol on any answer: it gives a value or says what is wrong, and never both nor neither.
#include "backend/protocol/filesystem_codec.h"
#include "backend/protocol/process_codec.h"
#include "backend/protocol/sandbox_codec.h"
#include "backend/protocol/template_codec.h"
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
