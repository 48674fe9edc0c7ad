// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/network_codec.h"

#include "backend/protocol/decode.h"
#include "backend/protocol/json_write.h"

namespace boxdeck::protocol {

using namespace Qt::StringLiterals;

namespace {

EgressProxy readProxy(const JsonReader &reader)
{
    return {.address = reader["address"_L1].text(),
            .username = reader["username"_L1].text(),
            .password = Secret(reader["password"_L1].text().toUtf8())};
}

/// The headers of a host: an array of rules, of which servers allow one.
InjectedHeaders readRules(const JsonReader &reader)
{
    InjectedHeaders headers;
    for (const JsonReader &rule : reader.items()) {
        const QMap<QString, QString> given = rule["transform"_L1]["headers"_L1].textMap();
        for (auto it = given.begin(); it != given.end(); ++it)
            headers.insert(it.key(), Secret(it.value().toUtf8()));
    }
    return headers;
}

QJsonObject proxyObject(const EgressProxy &proxy)
{
    QJsonObject object{{u"address"_s, proxy.address}};
    putSet(object, "username"_L1, proxy.username);
    putSet(object, "password"_L1, QString::fromUtf8(proxy.password.reveal()));
    return object;
}

QJsonArray ruleArray(const InjectedHeaders &headers)
{
    QJsonObject object;
    for (auto it = headers.begin(); it != headers.end(); ++it)
        object.insert(it.key(), QString::fromUtf8(it.value().reveal()));
    return {QJsonObject{{u"transform"_s, QJsonObject{{u"headers"_s, object}}}}};
}

} // namespace

std::optional<NetworkConfig> readNetwork(const JsonReader &reader)
{
    if (!reader.isObject())
        return std::nullopt;
    NetworkConfig network;
    network.allowOut = reader["allowOut"_L1].texts();
    network.denyOut = reader["denyOut"_L1].texts();
    if (const JsonReader proxy = reader["egressProxy"_L1]; proxy.isObject())
        network.egressProxy = readProxy(proxy);
    if (const JsonReader rules = reader["rules"_L1]; rules.isObject()) {
        const QJsonObject hosts = rules.value().toObject();
        for (auto it = hosts.begin(); it != hosts.end(); ++it)
            network.rules.insert(it.key(), readRules(rules.member(it.key())));
    }
    if (const JsonReader open = reader["allowPublicTraffic"_L1]; !open.isAbsent())
        network.allowPublicTraffic = open.boolean();
    network.maskRequestHost = reader["maskRequestHost"_L1].text();
    network.httpsPorts = readList(reader["httpsPorts"_L1], [](const JsonReader &port) { return port.smallInt(); });
    return network;
}

QList<VolumeMount> readVolumeMounts(const JsonReader &reader)
{
    return readList(reader, [](const JsonReader &mount) {
        return VolumeMount{.name = mount["name"_L1].text(), .path = mount["path"_L1].text()};
    });
}

QJsonObject egressObject(const EgressRules &rules)
{
    QJsonObject object;
    putSet(object, "allowOut"_L1, rules.allowOut);
    putSet(object, "denyOut"_L1, rules.denyOut);
    if (rules.egressProxy)
        object.insert("egressProxy"_L1, proxyObject(*rules.egressProxy));
    QJsonObject hosts;
    for (auto it = rules.rules.begin(); it != rules.rules.end(); ++it) {
        if (!it.value().isEmpty()) // a rule without headers does nothing
            hosts.insert(it.key(), ruleArray(it.value()));
    }
    putSet(object, "rules"_L1, hosts);
    return object;
}

QJsonObject networkObject(const NetworkConfig &network)
{
    QJsonObject object = egressObject(network);
    putSet(object, "allowPublicTraffic"_L1, network.allowPublicTraffic);
    putSet(object, "maskRequestHost"_L1, network.maskRequestHost);
    QJsonArray ports;
    for (const int port : network.httpsPorts)
        ports.append(port);
    if (!ports.isEmpty())
        object.insert("httpsPorts"_L1, ports);
    return object;
}

QJsonArray volumeMountArray(const QList<VolumeMount> &mounts)
{
    QJsonArray array;
    for (const VolumeMount &mount : mounts)
        array.append(QJsonObject{{u"name"_s, mount.name}, {u"path"_s, mount.path}});
    return array;
}

} // namespace boxdeck::protocol
