<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AccountText</name>
    <message>
        <source>not in use</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>needs its key</source>
        <translation>需要密钥</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未启动</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>This desktop has no keychain service, so the key can&apos;t be stored. Start one (such as gnome-keyring or KWallet), or keep the key in memory for this session only.</source>
        <translation>此桌面没有密钥环服务，无法保存密钥。请启动一个（例如 gnome-keyring 或 KWallet），或者仅在本次会话中将密钥保留在内存里。</translation>
    </message>
    <message>
        <source>The keychain is locked, so the key was not stored. Unlock it and try again, or keep the key in memory for this session only.</source>
        <translation>密钥环已锁定，密钥未保存。请解锁后重试，或者仅在本次会话中将密钥保留在内存里。</translation>
    </message>
    <message>
        <source>The keychain refused to store the key. Allow it there and try again, or keep the key in memory for this session only.</source>
        <translation>密钥环拒绝保存密钥。请在密钥环中允许后重试，或者仅在本次会话中将密钥保留在内存里。</translation>
    </message>
    <message>
        <source>The keychain did not answer within 5 seconds. Look for a question it asks, or keep the key in memory for this session only.</source>
        <translation>密钥环在 5 秒内没有响应。请查看它是否在等待您回答，或者仅在本次会话中将密钥保留在内存里。</translation>
    </message>
    <message>
        <source>The keychain already holds another key for this account. Nothing was changed.</source>
        <translation>密钥环中已有此账户的另一个密钥。未作任何更改。</translation>
    </message>
    <message>
        <source>The keychain could not store the key.</source>
        <translation>密钥环无法保存密钥。</translation>
    </message>
    <message>
        <source>Enter the server&apos;s address.</source>
        <translation>请输入服务器地址。</translation>
    </message>
    <message>
        <source>The address must begin with https:// or http://.</source>
        <translation>地址必须以 https:// 或 http:// 开头。</translation>
    </message>
    <message>
        <source>Leave user name and password out of the address: it is saved in the clear. The key belongs in its own field.</source>
        <translation>请勿在地址中填写用户名和密码：地址以明文保存。密钥请填入专用的输入框。</translation>
    </message>
    <message>
        <source>The address must end before any ? or #.</source>
        <translation>地址中不能包含 ? 或 #。</translation>
    </message>
    <message>
        <source>This is not the address of a server. It looks like https://api.example.com.</source>
        <translation>这不是服务器地址。正确的形式如 https://api.example.com。</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>key refused</source>
        <translation>密钥被拒绝</translation>
    </message>
    <message>
        <source>asks to wait</source>
        <translation>请求稍候</translation>
    </message>
    <message>
        <source>lists no sandboxes</source>
        <translation>不列出沙箱</translation>
    </message>
    <message>
        <source>in trouble (HTTP %1)</source>
        <translation>服务器出错（HTTP %1）</translation>
    </message>
    <message>
        <source>The keychain does not keep the access tokens and settings of new sandboxes of %1. They work until Boxdeck ends; sandboxes with private ports can&apos;t be reached through them after that.</source>
        <translation>密钥环没有保存 %1 的新沙箱的访问令牌和设置。它们在 Boxdeck 退出之前有效；此后将无法通过它们访问端口不公开的沙箱。</translation>
    </message>
    <message>
        <source>It is no JSON: %1.</source>
        <translation>它不是 JSON：%1。</translation>
    </message>
    <message>
        <source>It holds no settings: a profile is a JSON object, such as {&quot;api_base&quot;: …}.</source>
        <translation>其中没有设置：配置是一个 JSON 对象，例如 {&quot;api_base&quot;: …}。</translation>
    </message>
    <message>
        <source>There is no option %1. Correct its name, or take it out.</source>
        <translation>没有选项 %1。请更正其名称，或将其删除。</translation>
    </message>
    <message>
        <source>The same option is there twice, as %1. Leave one of them.</source>
        <translation>同一选项出现了两次：%1。请只保留其中一个。</translation>
    </message>
    <message>
        <source>The value of %1 is of the wrong kind.</source>
        <translation>%1 的值类型不正确。</translation>
    </message>
    <message>
        <source>The value of %1 is no address of a server. It looks like https://api.example.com, without a user name or password.</source>
        <translation>%1 的值不是服务器地址。正确的形式如 https://api.example.com，不含用户名和密码。</translation>
    </message>
    <message>
        <source>The value of %1 must be a host name, without https:// or a path.</source>
        <translation>%1 的值必须是主机名，不含 https:// 和路径。</translation>
    </message>
    <message>
        <source>The value of %1 must be a path that begins with / and stays below it.</source>
        <translation>%1 的值必须是以 / 开头且不越出它的路径。</translation>
    </message>
    <message>
        <source>The value of %1 must be https or http.</source>
        <translation>%1 的值必须是 https 或 http。</translation>
    </message>
    <message>
        <source>The value of %1 is not a whole number in its range.</source>
        <translation>%1 的值不是允许范围内的整数。</translation>
    </message>
    <message>
        <source>The value of %1 must be multipart or raw.</source>
        <translation>%1 的值必须是 multipart 或 raw。</translation>
    </message>
    <message>
        <source>The CA file %1 can&apos;t be read, so nothing is trusted. Choose another, or leave the field empty to trust the system&apos;s authorities.</source>
        <translation>无法读取 CA 文件 %1，因此不信任任何证书。请选择其他文件，或将此项留空以信任系统的证书颁发机构。</translation>
    </message>
    <message>
        <source>The CA file %1 holds no certificate in PEM form, so nothing is trusted. Choose another, or leave the field empty to trust the system&apos;s authorities.</source>
        <translation>CA 文件 %1 中没有 PEM 格式的证书，因此不信任任何证书。请选择其他文件，或将此项留空以信任系统的证书颁发机构。</translation>
    </message>
    <message>
        <source>The account was not saved.</source>
        <translation>账户未保存。</translation>
    </message>
    <message>
        <source>CA file not usable</source>
        <translation>CA 文件不可用</translation>
    </message>
</context>
<context>
    <name>CapabilityText</name>
    <message>
        <source>Listing paused sandboxes, and in pages</source>
        <translation>列出已暂停的沙箱，并支持分页</translation>
    </message>
    <message>
        <source>The older list of sandboxes</source>
        <translation>旧版沙箱列表</translation>
    </message>
    <message>
        <source>The newer way of creating sandboxes</source>
        <translation>新版创建沙箱方式</translation>
    </message>
    <message>
        <source>Pausing and resuming</source>
        <translation>暂停与恢复</translation>
    </message>
    <message>
        <source>Forking sandboxes</source>
        <translation>分叉沙箱</translation>
    </message>
    <message>
        <source>Changing network rules of running sandboxes</source>
        <translation>更改运行中沙箱的网络规则</translation>
    </message>
    <message>
        <source>Metrics of a sandbox</source>
        <translation>单个沙箱的指标</translation>
    </message>
    <message>
        <source>Metrics of many sandboxes at once</source>
        <translation>批量获取沙箱指标</translation>
    </message>
    <message>
        <source>Logs with levels and search</source>
        <translation>可按级别筛选和搜索的日志</translation>
    </message>
    <message>
        <source>The older logs</source>
        <translation>旧版日志</translation>
    </message>
    <message>
        <source>Snapshots</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>Listing templates</source>
        <translation>列出模板</translation>
    </message>
    <message>
        <source>Listing templates in pages</source>
        <translation>分页列出模板</translation>
    </message>
    <message>
        <source>Building templates</source>
        <translation>构建模板</translation>
    </message>
    <message>
        <source>Template tags</source>
        <translation>模板标签</translation>
    </message>
    <message>
        <source>Volumes</source>
        <translation>卷</translation>
    </message>
    <message>
        <source>Stored secrets</source>
        <translation>存储的机密</translation>
    </message>
    <message>
        <source>Teams</source>
        <translation>团队</translation>
    </message>
    <message>
        <source>Managing API keys</source>
        <translation>管理 API 密钥</translation>
    </message>
    <message>
        <source>Nodes of the cluster</source>
        <translation>集群节点</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>No</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Not asked, and not needed so far.</source>
        <translation>未询问，目前也不需要。</translation>
    </message>
    <message>
        <source>Not asked, as asking would change something on some servers.</source>
        <translation>未询问，因为在某些服务器上询问会造成更改。</translation>
    </message>
    <message>
        <source>The server gave no usable answer. Check again later.</source>
        <translation>服务器没有给出可用的答复。请稍后再检查。</translation>
    </message>
    <message>
        <source>The server did not accept the key, so nothing else was asked.</source>
        <translation>服务器不接受此密钥，因此未再询问其他内容。</translation>
    </message>
    <message>
        <source>Can&apos;t be told before it is used: the server says the same of a missing sandbox.</source>
        <translation>使用之前无法得知：沙箱不存在时服务器给出同样的答复。</translation>
    </message>
    <message>
        <source>The server answered such a call.</source>
        <translation>服务器答复了此类请求。</translation>
    </message>
    <message>
        <source>The server has no such call (HTTP %1).</source>
        <translation>服务器没有此类接口（HTTP %1）。</translation>
    </message>
    <message>
        <source>The server says: %1</source>
        <translation>服务器答复：%1</translation>
    </message>
    <message>
        <source>The server has it, but not for this account.</source>
        <translation>服务器提供此功能，但此账户不可用。</translation>
    </message>
    <message>
        <source>Not for this account; the server says: %1</source>
        <translation>此账户不可用；服务器答复：%1</translation>
    </message>
    <message>
        <source>Needs the login of a person or an administrator; an API key is not enough.</source>
        <translation>需要用户或管理员登录；仅有 API 密钥不够。</translation>
    </message>
    <message>
        <source>%1: this server does not offer it to this account. %2</source>
        <translation>%1：此服务器不向此账户提供该功能。%2</translation>
    </message>
</context>
<context>
    <name>CommandLine</name>
    <message>
        <source>The desktop for people who run E2B sandboxes.</source>
        <translation>面向 E2B 沙箱使用者的桌面应用。</translation>
    </message>
    <message>
        <source>Show this help.</source>
        <translation>显示此帮助。</translation>
    </message>
    <message>
        <source>Show the version.</source>
        <translation>显示版本。</translation>
    </message>
    <message>
        <source>Keep everything the app writes in DIR.</source>
        <translation>将应用写入的所有内容保存在 DIR 中。</translation>
    </message>
    <message>
        <source>Begin with the account called NAME.</source>
        <translation>以名为 NAME 的账户启动。</translation>
    </message>
    <message>
        <source>Use this server for this run only, with the key in E2B_API_KEY.</source>
        <translation>仅在本次运行中使用此服务器，密钥取自 E2B_API_KEY。</translation>
    </message>
    <message>
        <source>With --connect: one address for every sandbox.</source>
        <translation>与 --connect 一起使用：所有沙箱共用的地址。</translation>
    </message>
    <message>
        <source>With --connect: the sandboxes&apos; domain.</source>
        <translation>与 --connect 一起使用：沙箱的域名。</translation>
    </message>
    <message>
        <source>Open this sandbox. It is not woken.</source>
        <translation>打开此沙箱，但不唤醒它。</translation>
    </message>
    <message>
        <source>Language for this run: en or zh_CN.</source>
        <translation>本次运行的语言：en 或 zh_CN。</translation>
    </message>
    <message>
        <source>Unexpected argument: %1</source>
        <translation>意外的参数：%1</translation>
    </message>
    <message>
        <source>--data-dir needs a folder.</source>
        <translation>--data-dir 需要一个文件夹。</translation>
    </message>
    <message>
        <source>--connect needs the address of a server, such as https://api.example.com.</source>
        <translation>--connect 需要服务器地址，例如 https://api.example.com。</translation>
    </message>
    <message>
        <source>--sandbox-url needs an address, such as http://127.0.0.1:3002.</source>
        <translation>--sandbox-url 需要一个地址，例如 http://127.0.0.1:3002。</translation>
    </message>
    <message>
        <source>--sandbox-url and --domain belong to --connect.</source>
        <translation>--sandbox-url 和 --domain 须与 --connect 一起使用。</translation>
    </message>
</context>
<context>
    <name>Confirm</name>
    <message>
        <source>What it applies to</source>
        <translation>适用对象</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>CreateText</name>
    <message>
        <source>Choose a template.</source>
        <translation>请选择模板。</translation>
    </message>
    <message>
        <source>A sandbox lives for at least one second. There is none that never ends.</source>
        <translation>沙箱至少存活一秒。没有永不结束的沙箱。</translation>
    </message>
    <message>
        <source>Only a sandbox that is paused at its end can be woken. Choose pausing, or don&apos;t wake it.</source>
        <translation>只有到期时暂停的沙箱才能被唤醒。请选择暂停，或者不唤醒它。</translation>
    </message>
    <message>
        <source>Keeping only the disk means something for a sandbox that is paused at its end. Choose pausing, or keep the memory.</source>
        <translation>仅保留磁盘只对到期时暂停的沙箱有意义。请选择暂停，或者保留内存。</translation>
    </message>
    <message>
        <source>A sandbox of which only the disk is kept can&apos;t be woken by traffic. Keep its memory, or don&apos;t wake it.</source>
        <translation>仅保留磁盘的沙箱无法被流量唤醒。请保留其内存，或者不唤醒它。</translation>
    </message>
    <message>
        <source>Ports can be closed to others only if the sandbox asks for a token. Switch that on, or leave the ports open.</source>
        <translation>只有沙箱要求令牌时才能对他人关闭端口。请启用该项，或者保持端口开放。</translation>
    </message>
    <message>
        <source>Only addresses and ranges can be denied, no host names. Deny 0.0.0.0/0 and allow the others instead.</source>
        <translation>只能拒绝地址和地址段，不能拒绝主机名。请改为拒绝 0.0.0.0/0 并允许其余部分。</translation>
    </message>
    <message>
        <source>Allowing host names means something only if everything else is denied. Add 0.0.0.0/0 to what is denied.</source>
        <translation>只有拒绝其余一切时，允许主机名才有意义。请将 0.0.0.0/0 加入拒绝列表。</translation>
    </message>
    <message>
        <source>A port for HTTPS is a number from 1 to 65535, and not that of envd.</source>
        <translation>HTTPS 端口须为 1 至 65535 的数字，且不能是 envd 的端口。</translation>
    </message>
    <message>
        <source>Each volume needs a name and an absolute path of its own.</source>
        <translation>每个卷都需要名称和各自的绝对路径。</translation>
    </message>
    <message>
        <source>A sandbox has at most 5 identity tokens.</source>
        <translation>一个沙箱最多有 5 个身份令牌。</translation>
    </message>
    <message>
        <source>The network rules can&apos;t be used: %1</source>
        <translation>网络规则无法使用：%1</translation>
    </message>
    <message>
        <source>The proxy for outgoing connections can&apos;t be used: %1</source>
        <translation>出站连接的代理无法使用：%1</translation>
    </message>
    <message>
        <source>The MCP settings can&apos;t be used: %1</source>
        <translation>MCP 设置无法使用：%1</translation>
    </message>
</context>
<context>
    <name>Format</name>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
</context>
<context>
    <name>SandboxText</name>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>ending</source>
        <translation>即将结束</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>已结束</translation>
    </message>
</context>
<context>
    <name>SaveText</name>
    <message>
        <source>Nothing was saved to “%1”: %2.</source>
        <translation>未能保存到“%1”：%2。</translation>
    </message>
    <message>
        <source>Saved to “%1”.</source>
        <translation>已保存到“%1”。</translation>
    </message>
</context>
<context>
    <name>Sentence</name>
    <message>
        <source>The sandbox&apos;s disk is full. Delete files there, then try again.</source>
        <translation>沙箱的磁盘已满。请删除其中的文件后重试。</translation>
    </message>
    <message>
        <source>It is larger than the server accepts.</source>
        <translation>它超过了服务器接受的大小。</translation>
    </message>
    <message>
        <source>The server limits how often it may be asked. Try again in %1.</source>
        <translation>服务器限制了请求频率。请在 %1后重试。</translation>
    </message>
    <message>
        <source>The server&apos;s limit is reached: too many requests, or too many sandboxes at once. Wait a little, or end a sandbox that is no longer needed, then try again.</source>
        <translation>已达到服务器的限制：请求过多，或同时运行的沙箱过多。请稍候，或结束不再需要的沙箱，然后重试。</translation>
    </message>
    <message>
        <source>The server has no room for it now. Try again later.</source>
        <translation>服务器目前没有空余资源。请稍后重试。</translation>
    </message>
    <message>
        <source>This desktop has no keychain service running.</source>
        <translation>此桌面没有运行密钥环服务。</translation>
    </message>
    <message>
        <source>The keychain is locked. Unlock it, then try again.</source>
        <translation>密钥环已锁定。请解锁后重试。</translation>
    </message>
    <message>
        <source>The keychain refused access. Allow it there, then try again.</source>
        <translation>密钥环拒绝访问。请在密钥环中允许后重试。</translation>
    </message>
    <message>
        <source>It is gone: the server does not know it any more. Refresh the list to see what is there.</source>
        <translation>它已不存在：服务器上没有它的记录。请刷新列表查看现状。</translation>
    </message>
    <message>
        <source>It has ended: its time ran out or it was killed. Nothing can bring it back.</source>
        <translation>它已结束：时间用尽或被终止，无法恢复。</translation>
    </message>
    <message>
        <source>The server refused access with this key. Check the key and what it is allowed to do under Accounts.</source>
        <translation>服务器拒绝了此密钥的访问。请在“账户”中检查密钥及其权限。</translation>
    </message>
    <message>
        <source>The server did not accept the key. Check or replace it under Accounts.</source>
        <translation>服务器不接受此密钥。请在“账户”中检查或更换。</translation>
    </message>
    <message>
        <source>The server did not accept the request. Its answer is below.</source>
        <translation>服务器不接受此请求。其答复见下。</translation>
    </message>
    <message>
        <source>This server does not offer that.</source>
        <translation>此服务器不提供该功能。</translation>
    </message>
    <message>
        <source>It is paused. Resume it first; that starts its time again.</source>
        <translation>它已暂停。请先恢复它；恢复后将重新计时。</translation>
    </message>
    <message>
        <source>Something with this name is already there. Choose another name.</source>
        <translation>已存在同名的项目。请换一个名称。</translation>
    </message>
    <message>
        <source>Its state just changed, so that was not possible. Refresh, then try again.</source>
        <translation>它的状态刚刚发生了变化，因此无法执行。请刷新后重试。</translation>
    </message>
    <message>
        <source>No connection could be made in time. Check the network, then try again.</source>
        <translation>未能及时建立连接。请检查网络后重试。</translation>
    </message>
    <message>
        <source>No answer came in time; it may have happened all the same. Refresh before trying again.</source>
        <translation>未能及时收到答复；操作仍可能已经生效。请先刷新再重试。</translation>
    </message>
    <message>
        <source>The server is not able to answer now. Try again in a moment.</source>
        <translation>服务器目前无法答复。请稍后重试。</translation>
    </message>
    <message>
        <source>The connection broke before the answer came; it may have happened all the same. Refresh before trying again.</source>
        <translation>连接在收到答复之前中断；操作仍可能已经生效。请先刷新再重试。</translation>
    </message>
    <message>
        <source>The server can&apos;t be reached. Check the network and the server&apos;s address.</source>
        <translation>无法连接服务器。请检查网络和服务器地址。</translation>
    </message>
    <message>
        <source>The server&apos;s answer could not be understood. Is the address that of an E2B-compatible server?</source>
        <translation>无法理解服务器的答复。该地址是 E2B 兼容服务器的地址吗？</translation>
    </message>
    <message>
        <source>Something unexpected went wrong. The details below help in a report.</source>
        <translation>发生了意外错误。下方的详细信息有助于报告问题。</translation>
    </message>
    <message>
        <source>This computer&apos;s disk is full. Free some space, then try again.</source>
        <translation>本机磁盘已满。请释放空间后重试。</translation>
    </message>
    <message>
        <source>This computer could not do it.</source>
        <translation>本机无法完成此操作。</translation>
    </message>
    <message>
        <source>HTTP %1</source>
        <translation>HTTP %1</translation>
    </message>
    <message>
        <source>request %1</source>
        <translation>请求 %1</translation>
    </message>
</context>
<context>
    <name>TransferSentence</name>
    <message>
        <source>Its name can&apos;t be sent: it is not UTF-8. Rename it, then try again.</source>
        <translation>其名称无法发送：不是 UTF-8 编码。请重命名后重试。</translation>
    </message>
    <message>
        <source>Its name can&apos;t be used on this computer, or would leave the chosen folder.</source>
        <translation>其名称无法在本机使用，或会超出所选文件夹。</translation>
    </message>
    <message>
        <source>It changes while it is copied. Try again when nothing writes to it.</source>
        <translation>它在复制过程中发生了变化。请在没有程序写入时重试。</translation>
    </message>
    <message>
        <source>Not all of it arrived, so it was not kept. Try again.</source>
        <translation>内容未完整到达，因此未保留。请重试。</translation>
    </message>
    <message>
        <source>The sandbox&apos;s disk is full. Delete files there, then try again.</source>
        <translation>沙箱的磁盘已满。请删除其中的文件后重试。</translation>
    </message>
    <message>
        <source>This computer&apos;s disk is full. Free some space, then try again.</source>
        <translation>本机磁盘已满。请释放空间后重试。</translation>
    </message>
    <message>
        <source>This computer does not let Boxdeck read it. Change its permissions, then try again.</source>
        <translation>本机不允许 Boxdeck 读取它。请更改其权限后重试。</translation>
    </message>
    <message>
        <source>The folder on this computer can&apos;t be written to. Choose another one.</source>
        <translation>本机上的该文件夹无法写入。请另选一个。</translation>
    </message>
    <message>
        <source>It is not there any more on this computer.</source>
        <translation>它在本机上已不存在。</translation>
    </message>
    <message>
        <source>The folder on this computer is not there any more. Choose another one.</source>
        <translation>本机上的该文件夹已不存在。请另选一个。</translation>
    </message>
    <message>
        <source>A folder or link of that name is in the way. Rename or remove it, then try again.</source>
        <translation>已有同名的文件夹或链接。请将其重命名或移除后重试。</translation>
    </message>
    <message>
        <source>Left out: a link to a folder, or to something outside the folder that is copied.</source>
        <translation>已略过：指向文件夹或所复制文件夹之外的链接。</translation>
    </message>
    <message>
        <source>Left out: a link that leads nowhere.</source>
        <translation>已略过：失效的链接。</translation>
    </message>
    <message>
        <source>Left out: a socket, a pipe or a device.</source>
        <translation>已略过：套接字、管道或设备。</translation>
    </message>
    <message>
        <source>Too deep, or too many entries. Copy a part of it at a time.</source>
        <translation>层级过深或条目过多。请分批复制。</translation>
    </message>
    <message>
        <source>Left out: what was there was kept.</source>
        <translation>已略过：保留了原有内容。</translation>
    </message>
    <message>
        <source>The permissions of the file it replaces could not be kept, so the old file stays. Delete that file, or choose another name.</source>
        <translation>无法保留被替换文件的权限，因此旧文件保持不变。请删除该文件或换一个名称。</translation>
    </message>
    <message>
        <source>Nothing arrived for a while: the connection is stalled.</source>
        <translation>已有一段时间没有收到数据：连接停滞。</translation>
    </message>
    <message>
        <source>The sandbox is paused. Resume it, then let the transfer go on.</source>
        <translation>沙箱已暂停。请恢复沙箱，然后继续传输。</translation>
    </message>
    <message>
        <source>It is not in the sandbox any more.</source>
        <translation>它在沙箱中已不存在。</translation>
    </message>
    <message>
        <source>The sandbox can&apos;t write it there (%1). Choose another folder.</source>
        <translation>沙箱无法写入该处（%1）。请另选一个文件夹。</translation>
    </message>
    <message>
        <source>The sandbox can&apos;t read it (%1).</source>
        <translation>沙箱无法读取它（%1）。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n files copied</source>
        <translation>
            <numerusform>已复制 %n 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out</source>
        <translation>
            <numerusform>略过 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>1 file not copied</source>
        <translation>1 个文件未复制</translation>
    </message>
    <message numerus="yes">
        <source>%n files not copied</source>
        <translation>
            <numerusform>%n 个文件未复制</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>boxdeck::app::Application</name>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>The saved accounts could not be read and were set aside: %1</source>
        <translation>无法读取已保存的账户，已将其另存：%1</translation>
    </message>
    <message>
        <source>--connect needs the key of the server in the environment variable E2B_API_KEY.</source>
        <translation>--connect 需要在环境变量 E2B_API_KEY 中提供服务器密钥。</translation>
    </message>
    <message>
        <source>There is no account called %1.</source>
        <translation>没有名为 %1 的账户。</translation>
    </message>
</context>
<context>
    <name>boxdeck::models::LogModel</name>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Debug</source>
        <translation>调试</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
</context>
<context>
    <name>boxdeck::models::RemoteFolderModel</name>
    <message>
        <source>leads nowhere</source>
        <translation>已失效</translation>
    </message>
    <message>
        <source>broken link</source>
        <translation>失效链接</translation>
    </message>
    <message>
        <source>link</source>
        <translation>链接</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>special file</source>
        <translation>特殊文件</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Modified</source>
        <translation>修改时间</translation>
    </message>
    <message>
        <source>Permissions</source>
        <translation>权限</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所有者</translation>
    </message>
    <message>
        <source>Link target</source>
        <translation>链接目标</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
</context>
<context>
    <name>boxdeck::models::SandboxModel</name>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Age</source>
        <translation>已运行</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>CPUs</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>Changing</source>
        <translation>变更中</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
</context>
<context>
    <name>boxdeck::models::TemplateModel</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>构建</translation>
    </message>
    <message>
        <source>CPUs</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Updated</source>
        <translation>更新时间</translation>
    </message>
    <message>
        <source>Times used</source>
        <translation>使用次数</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Rebuilding</source>
        <translation>重新构建中</translation>
    </message>
    <message>
        <source>Building</source>
        <translation>构建中</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Rebuild failed</source>
        <translation>重新构建失败</translation>
    </message>
    <message>
        <source>No default build</source>
        <translation>没有默认构建</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
</context>
<context>
    <name>boxdeck::models::TransferModel</name>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Looking for files</source>
        <translation>正在查找文件</translation>
    </message>
    <message>
        <source>Uploading</source>
        <translation>正在上传</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Trying again soon</source>
        <translation>即将重试</translation>
    </message>
    <message>
        <source>Needs an answer</source>
        <translation>需要确认</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 及其他 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2, %3 of %n files</source>
        <translation>
            <numerusform>%1 / %2，%3 / %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/秒</translation>
    </message>
    <message>
        <source>%1 s left</source>
        <translation>剩余 %1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s left</source>
        <translation>剩余 %1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min left</source>
        <translation>剩余 %1 小时 %2 分</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation>沙箱</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::AboutDialog</name>
    <message>
        <source>About Boxdeck</source>
        <translation>关于 Boxdeck</translation>
    </message>
    <message>
        <source>Boxdeck %1</source>
        <translation>Boxdeck %1</translation>
    </message>
    <message>
        <source>The desktop for people who run E2B sandboxes.</source>
        <translation>面向 E2B 沙箱使用者的桌面应用。</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later. It comes with no warranty, and it sends no telemetry.
Made with Qt %1.</source>
        <translation>自由软件，采用 GNU 通用公共许可证第 3 版或更高版本。不提供任何担保，也不发送任何遥测数据。
使用 Qt %1 构建。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::AccountForm</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Time to live of new sandboxes</source>
        <translation>新沙箱的存活时间</translation>
    </message>
    <message>
        <source>Leave out fields that strict servers refuse</source>
        <translation>省略严格的服务器会拒绝的字段</translation>
    </message>
    <message>
        <source>Upload files as forms only</source>
        <translation>仅以表单方式上传文件</translation>
    </message>
    <message>
        <source>Account name</source>
        <translation>账户名称</translation>
    </message>
    <message>
        <source>Server address</source>
        <translation>服务器地址</translation>
    </message>
    <message>
        <source>Sandbox address</source>
        <translation>沙箱地址</translation>
    </message>
    <message>
        <source>Only if all sandboxes share one address</source>
        <translation>仅当所有沙箱共用一个地址时填写</translation>
    </message>
    <message>
        <source>Sandbox domain</source>
        <translation>沙箱域名</translation>
    </message>
    <message>
        <source>Only if it differs from the server&apos;s own</source>
        <translation>仅当与服务器自身的域名不同时填写</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Server address</source>
        <translation>服务器地址(&amp;S)</translation>
    </message>
    <message>
        <source>Sandbox &amp;address</source>
        <translation>沙箱地址(&amp;A)</translation>
    </message>
    <message>
        <source>Sandbox &amp;domain</source>
        <translation>沙箱域名(&amp;D)</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <source>Gateway</source>
        <translation>网关</translation>
    </message>
    <message>
        <source>Address dialled for every sandbox, such as https://10.0.0.1:8443</source>
        <translation>访问每个沙箱时连接的地址，例如 https://10.0.0.1:8443</translation>
    </message>
    <message>
        <source>CA file</source>
        <translation>CA 文件</translation>
    </message>
    <message>
        <source>The system&apos;s authorities are trusted</source>
        <translation>信任系统的证书颁发机构</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose a CA file</source>
        <translation>选择 CA 文件</translation>
    </message>
    <message>
        <source>Scheme of sandbox addresses</source>
        <translation>沙箱地址的协议</translation>
    </message>
    <message>
        <source>As the server&apos;s address</source>
        <translation>与服务器地址相同</translation>
    </message>
    <message>
        <source>envd port</source>
        <translation>envd 端口</translation>
    </message>
    <message>
        <source>User inside sandboxes</source>
        <translation>沙箱内的用户</translation>
    </message>
    <message>
        <source>None: each sandbox&apos;s own default</source>
        <translation>不指定：使用各沙箱的默认用户</translation>
    </message>
    <message>
        <source>Template of new sandboxes</source>
        <translation>新沙箱的模板</translation>
    </message>
    <message>
        <source>Network rules, wake on traffic and pausing without memory are then never sent.</source>
        <translation>此时从不发送网络规则、流量唤醒和不保留内存的暂停。</translation>
    </message>
    <message>
        <source>For servers that fail on plain bodies without saying so.</source>
        <translation>用于无法处理原始正文却不说明原因的服务器。</translation>
    </message>
    <message>
        <source>&amp;Gateway</source>
        <translation>网关(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;CA file</source>
        <translation>CA 文件(&amp;C)</translation>
    </message>
    <message>
        <source>Sc&amp;heme</source>
        <translation>协议(&amp;H)</translation>
    </message>
    <message>
        <source>envd &amp;port</source>
        <translation>envd 端口(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;User</source>
        <translation>用户(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Template</source>
        <translation>模板(&amp;T)</translation>
    </message>
    <message>
        <source>Certificates (*.pem *.crt *.cer)</source>
        <translation>证书 (*.pem *.crt *.cer)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Trust this file</source>
        <translation>信任此文件</translation>
    </message>
    <message>
        <source>Sandbox domain: give a host name only, such as box.example.com, without https:// or a path.</source>
        <translation>沙箱域名：请只填写主机名，例如 box.example.com，不含 https:// 和路径。</translation>
    </message>
    <message>
        <source>CA file: there is no file %1 that can be read.</source>
        <translation>CA 文件：没有可读取的文件 %1。</translation>
    </message>
    <message>
        <source>Time to &amp;live</source>
        <translation>存活时间(&amp;L)</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::AccountStateView</name>
    <message>
        <source>No account</source>
        <translation>没有账户</translation>
    </message>
    <message>
        <source>Sandboxes live on a server or on this computer. Choose where to begin.</source>
        <translation>沙箱位于服务器或本机上。请选择从哪里开始。</translation>
    </message>
    <message>
        <source>Add account…</source>
        <translation>添加账户…</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>The account %1 is not in use yet.</source>
        <translation>账户 %1 尚未使用。</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>The server for sandboxes on this computer is being started.</source>
        <translation>正在启动本机的沙箱服务器。</translation>
    </message>
    <message>
        <source>Waiting for the keychain</source>
        <translation>正在等待密钥环</translation>
    </message>
    <message>
        <source>The key of %1 is read from the keychain.</source>
        <translation>正在从密钥环读取 %1 的密钥。</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>没有密钥</translation>
    </message>
    <message>
        <source>No key is kept for %1. Enter it to go on.</source>
        <translation>没有保存 %1 的密钥。请输入密钥以继续。</translation>
    </message>
    <message>
        <source>Enter key…</source>
        <translation>输入密钥…</translation>
    </message>
    <message>
        <source>The key can&apos;t be read</source>
        <translation>无法读取密钥</translation>
    </message>
    <message>
        <source>The key of %1 could not be read.</source>
        <translation>无法读取 %1 的密钥。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Enter the key for this session…</source>
        <translation>为本次会话输入密钥…</translation>
    </message>
    <message>
        <source>The program boxdeck-host was not found beside Boxdeck. Install it, then try again.</source>
        <translation>在 Boxdeck 旁未找到程序 boxdeck-host。请安装后重试。</translation>
    </message>
    <message>
        <source>The server for sandboxes on this computer did not start. It says:</source>
        <translation>本机的沙箱服务器未能启动。它的说明：</translation>
    </message>
    <message>
        <source>The server for sandboxes on this computer did not get ready in time.</source>
        <translation>本机的沙箱服务器未能及时就绪。</translation>
    </message>
    <message>
        <source>Could not be started</source>
        <translation>无法启动</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::AccountSwitcher</name>
    <message>
        <source>Account</source>
        <translation>账户</translation>
    </message>
    <message>
        <source>Choose an account</source>
        <translation>选择账户</translation>
    </message>
    <message>
        <source>Account: %1, %2</source>
        <translation>账户：%1，%2</translation>
    </message>
    <message>
        <source>Choose or add an account</source>
        <translation>选择或添加账户</translation>
    </message>
    <message>
        <source>Add account…</source>
        <translation>添加账户…</translation>
    </message>
    <message>
        <source>Manage accounts…</source>
        <translation>管理账户…</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::ActivityPane</name>
    <message>
        <source>Activity</source>
        <translation>活动</translation>
    </message>
    <message>
        <source>What was done from here</source>
        <translation>从此处执行的操作</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>What you do to sandboxes from here is noted here.</source>
        <translation>您在此对沙箱执行的操作会记录在这里。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::AddAccountDialog</name>
    <message>
        <source>E2B Cloud</source>
        <translation>E2B 云</translation>
    </message>
    <message>
        <source>Own server</source>
        <translation>自有服务器</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Add account</source>
        <translation>添加账户</translation>
    </message>
    <message>
        <source>Test the connection</source>
        <translation>测试连接</translation>
    </message>
    <message>
        <source>API &amp;key</source>
        <translation>API 密钥(&amp;K)</translation>
    </message>
    <message>
        <source>The key is kept in the desktop&apos;s keychain, and never in a file.</source>
        <translation>密钥保存在桌面的密钥环中，绝不写入文件。</translation>
    </message>
    <message>
        <source>Enter the API key. It begins with e2b_.</source>
        <translation>请输入 API 密钥。它以 e2b_ 开头。</translation>
    </message>
    <message>
        <source>The server was not tested.</source>
        <translation>未能测试服务器。</translation>
    </message>
    <message>
        <source>Adding…</source>
        <translation>正在添加…</translation>
    </message>
    <message>
        <source>Keep it for this session</source>
        <translation>仅在本次会话中保留</translation>
    </message>
    <message>
        <source>Import profile…</source>
        <translation>导入配置…</translation>
    </message>
    <message>
        <source>Use the E2B CLI&apos;s key</source>
        <translation>使用 E2B CLI 的密钥</translation>
    </message>
    <message>
        <source>Read a connection profile: a JSON file that says how to reach a server.</source>
        <translation>读取连接配置：一个说明如何连接服务器的 JSON 文件。</translation>
    </message>
    <message>
        <source>Read the key from %1. Nothing is read before you press this.</source>
        <translation>从 %1 读取密钥。按下此按钮之前不会读取任何内容。</translation>
    </message>
    <message>
        <source>Import a connection profile</source>
        <translation>导入连接配置</translation>
    </message>
    <message>
        <source>Connection profiles (*.json)</source>
        <translation>连接配置 (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Look at it</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>The profile %1 was not read.</source>
        <translation>未能读取配置 %1。</translation>
    </message>
    <message>
        <source>Nothing was imported from %1. %2</source>
        <translation>未从 %1 导入任何内容。%2</translation>
    </message>
    <message>
        <source>The E2B CLI&apos;s settings were not read.</source>
        <translation>未能读取 E2B CLI 的设置。</translation>
    </message>
    <message>
        <source>The E2B CLI&apos;s settings hold no key that Boxdeck understands. Sign in there again with e2b auth login, or enter the key here.</source>
        <translation>E2B CLI 的设置中没有 Boxdeck 能识别的密钥。请用 e2b auth login 重新登录，或者在此输入密钥。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::CapabilitiesView</name>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>What this server can do</source>
        <translation>此服务器的功能</translation>
    </message>
    <message>
        <source>Feature</source>
        <translation>功能</translation>
    </message>
    <message>
        <source>Offered</source>
        <translation>是否提供</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Asks the server a few harmless questions. None changes anything there.</source>
        <translation>向服务器提出几个无害的询问，不会更改其中的任何内容。</translation>
    </message>
    <message>
        <source>The server is asked once the account is connected.</source>
        <translation>账户连接后将询问服务器。</translation>
    </message>
    <message>
        <source>The server is being asked…</source>
        <translation>正在询问服务器…</translation>
    </message>
    <message>
        <source>Known from its answers so far.</source>
        <translation>根据服务器至今的答复得知。</translation>
    </message>
    <message>
        <source>Asked on %1, and learned from its answers since.</source>
        <translation>询问于 %1，此后根据其答复更新。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::ConflictBar</name>
    <message>
        <source>For the rest of this transfer</source>
        <translation>应用于此传输的其余项目</translation>
    </message>
    <message>
        <source>Question about an existing file</source>
        <translation>关于已有文件的问题</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>The two files</source>
        <translation>两个文件</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Overwrite if newer</source>
        <translation>较新时覆盖</translation>
    </message>
    <message>
        <source>Overwrite if size differs</source>
        <translation>大小不同时覆盖</translation>
    </message>
    <message>
        <source>Keep both</source>
        <translation>两者都保留</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>“%1” is already in the sandbox. Overwrite it with the file from this computer?</source>
        <translation>沙箱中已有“%1”。要用本机的文件覆盖它吗？</translation>
    </message>
    <message>
        <source>“%1” is already in the folder. Overwrite it with the file from the sandbox?</source>
        <translation>文件夹中已有“%1”。要用沙箱中的文件覆盖它吗？</translation>
    </message>
    <message>
        <source>%1, changed %2</source>
        <translation>%1，修改于 %2</translation>
    </message>
    <message>
        <source>New: %1.  There now: %2.</source>
        <translation>新文件：%1。  现有文件：%2。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::DurationEdit</name>
    <message>
        <source>Unit of time</source>
        <translation>时间单位</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>分钟</translation>
    </message>
    <message>
        <source>hours</source>
        <translation>小时</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::EditAccountDialog</name>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Save changes</source>
        <translation>保存更改</translation>
    </message>
    <message>
        <source>Edit account</source>
        <translation>编辑账户</translation>
    </message>
    <message>
        <source>Edit account – %1</source>
        <translation>编辑账户 – %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Test the connection</source>
        <translation>测试连接</translation>
    </message>
    <message>
        <source>The server was not tested.</source>
        <translation>服务器未经测试。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::EmptyState</name>
    <message>
        <source>Working</source>
        <translation>正在处理</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::ErrorBar</name>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Copy the error</source>
        <translation>复制错误信息</translation>
    </message>
    <message>
        <source>Close the error</source>
        <translation>关闭错误信息</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::FileDelegate</name>
    <message>
        <source>New name for %1</source>
        <translation>%1 的新名称</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::FilePreview</name>
    <message>
        <source>Preview of %1</source>
        <translation>%1 的预览</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Content of %1</source>
        <translation>%1 的内容</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>%1 is too large for a preview</source>
        <translation>%1 太大，无法预览</translation>
    </message>
    <message>
        <source>Previews show up to %1. Save it to this computer to open it.</source>
        <translation>预览最多显示 %1。请保存到本机后打开。</translation>
    </message>
    <message>
        <source>Save “%1” to…</source>
        <translation>将“%1”保存到…</translation>
    </message>
    <message>
        <source>The file “%1” was not opened.</source>
        <translation>未能打开文件“%1”。</translation>
    </message>
    <message>
        <source>Open again</source>
        <translation>重新打开</translation>
    </message>
    <message>
        <source>%1 is a binary file</source>
        <translation>%1 是二进制文件</translation>
    </message>
    <message>
        <source>It has %1 and is not text. Save it to this computer to open it.</source>
        <translation>它的大小为 %1，不是文本。请保存到本机后打开。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::FileView</name>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::FilesPane</name>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Show only names that contain</source>
        <translation>仅显示名称包含以下内容的项目</translation>
    </message>
    <message>
        <source>Find by name in this folder</source>
        <translation>在此文件夹中按名称查找</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>“%1” is not a path. Type one that begins with “/”.</source>
        <translation>“%1”不是路径。请输入以“/”开头的路径。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Up one folder</source>
        <translation>上一级文件夹</translation>
    </message>
    <message>
        <source>Home folder</source>
        <translation>主文件夹</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>Type a path</source>
        <translation>输入路径</translation>
    </message>
    <message>
        <source>Find by name</source>
        <translation>按名称查找</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>新建文件夹</translation>
    </message>
    <message>
        <source>Upload files…</source>
        <translation>上传文件…</translation>
    </message>
    <message>
        <source>Upload a folder…</source>
        <translation>上传文件夹…</translation>
    </message>
    <message>
        <source>Paste files</source>
        <translation>粘贴文件</translation>
    </message>
    <message>
        <source>Save to…</source>
        <translation>保存到…</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Open terminal here</source>
        <translation>在此处打开终端</translation>
    </message>
    <message>
        <source>Show hidden files</source>
        <translation>显示隐藏文件</translation>
    </message>
    <message>
        <source>The folder “%1” can&apos;t be shown.</source>
        <translation>无法显示文件夹“%1”。</translation>
    </message>
    <message>
        <source>Try again now</source>
        <translation>立即重试</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>“%1” is paused</source>
        <translation>“%1”已暂停</translation>
    </message>
    <message>
        <source>Its files are kept. Looking does not wake it: resume it to see them.</source>
        <translation>其文件会保留。查看不会唤醒它：恢复后即可查看文件。</translation>
    </message>
    <message>
        <source>Resume “%1”</source>
        <translation>恢复“%1”</translation>
    </message>
    <message>
        <source>“%1” has ended</source>
        <translation>“%1”已结束</translation>
    </message>
    <message>
        <source>Its files are gone. What was saved to this computer stays.</source>
        <translation>其文件已不存在。已保存到本机的内容仍在。</translation>
    </message>
    <message>
        <source>“%1” is changing</source>
        <translation>“%1”的状态正在变更</translation>
    </message>
    <message>
        <source>Its files appear as soon as it runs.</source>
        <translation>运行后即会显示其文件。</translation>
    </message>
    <message>
        <source>This folder is empty</source>
        <translation>此文件夹为空</translation>
    </message>
    <message>
        <source>Drop files here to upload them.</source>
        <translation>将文件拖放到此处即可上传。</translation>
    </message>
    <message>
        <source>No name contains “%1”</source>
        <translation>没有名称包含“%1”</translation>
    </message>
    <message>
        <source>Clear the search to see all of the folder.</source>
        <translation>清除搜索以查看整个文件夹。</translation>
    </message>
    <message>
        <source>Only hidden files here</source>
        <translation>此处只有隐藏文件</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n not shown</source>
        <translation>
            <numerusform>%n 个未显示</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n with impossible names left out</source>
        <translation>
            <numerusform>略过 %n 个名称无效的项目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>已选择 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” is a link that leads nowhere: there is no file behind it.</source>
        <translation>“%1”是失效的链接：它指向的文件不存在。</translation>
    </message>
    <message>
        <source>“%1” is a socket, a pipe or a device and can&apos;t be opened.</source>
        <translation>“%1”是套接字、管道或设备，无法打开。</translation>
    </message>
    <message>
        <source>Upload files to %1</source>
        <translation>上传文件到 %1</translation>
    </message>
    <message>
        <source>Upload</source>
        <translation>上传</translation>
    </message>
    <message>
        <source>Upload a folder to %1</source>
        <translation>上传文件夹到 %1</translation>
    </message>
    <message>
        <source>“%1” is no file on this computer. Save it here first, then drop it again.</source>
        <translation>“%1”不是本机上的文件。请先保存到本机，再拖放。</translation>
    </message>
    <message>
        <source>The clipboard holds no files. Copy some in a file manager, then paste them here.</source>
        <translation>剪贴板中没有文件。请在文件管理器中复制文件，再粘贴到此处。</translation>
    </message>
    <message>
        <source>Save “%1” to a folder</source>
        <translation>将“%1”保存到文件夹</translation>
    </message>
    <message>
        <source>Save here</source>
        <translation>保存到此处</translation>
    </message>
    <message>
        <source>New folder (%1)</source>
        <translation>新建文件夹 (%1)</translation>
    </message>
    <message>
        <source>The folder “%1” was not made.</source>
        <translation>未能创建文件夹“%1”。</translation>
    </message>
    <message>
        <source>“%1” was not renamed.</source>
        <translation>未能重命名“%1”。</translation>
    </message>
    <message>
        <source>The new name is too long.</source>
        <translation>新名称太长。</translation>
    </message>
    <message>
        <source>A name can&apos;t be empty, “.” or “..”, or contain a slash.</source>
        <translation>名称不能为空，不能是“.”或“..”，也不能包含斜杠。</translation>
    </message>
    <message>
        <source>“%1” was not moved to %2.</source>
        <translation>未能将“%1”移动到 %2。</translation>
    </message>
    <message>
        <source>Delete “%1” from “%2”?</source>
        <translation>从“%2”中删除“%1”吗？</translation>
    </message>
    <message>
        <source>Delete “%1”</source>
        <translation>删除“%1”</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n items from “%1”?</source>
        <translation>
            <numerusform>从“%1”中删除 %n 个项目吗？</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n items</source>
        <translation>
            <numerusform>删除 %n 个项目</numerusform>
        </translation>
    </message>
    <message>
        <source>Folders are deleted with everything in them. This can&apos;t be undone.</source>
        <translation>文件夹及其中的所有内容都会被删除。此操作无法撤销。</translation>
    </message>
    <message>
        <source>This can&apos;t be undone.</source>
        <translation>此操作无法撤销。</translation>
    </message>
    <message>
        <source>“%1” was not deleted.</source>
        <translation>未能删除“%1”。</translation>
    </message>
    <message>
        <source>“%1” was not deleted, nor were the items after it.</source>
        <translation>未能删除“%1”及其后的项目。</translation>
    </message>
    <message>
        <source>1 item</source>
        <translation>1 个项目</translation>
    </message>
    <message numerus="yes">
        <source>%n items</source>
        <translation>
            <numerusform>%n 个项目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Save %n items to a folder</source>
        <translation>
            <numerusform>将 %n 个项目保存到文件夹</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::FindBar</name>
    <message>
        <source>Find in the terminal</source>
        <translation>在终端中查找</translation>
    </message>
    <message>
        <source>Text to find</source>
        <translation>要查找的文本</translation>
    </message>
    <message>
        <source>Find in the scrollback</source>
        <translation>在回滚内容中查找</translation>
    </message>
    <message>
        <source>Match upper and lower case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Aa</source>
        <translation>Aa</translation>
    </message>
    <message>
        <source>Find upwards</source>
        <translation>向上查找</translation>
    </message>
    <message>
        <source>Find downwards</source>
        <translation>向下查找</translation>
    </message>
    <message>
        <source>Close the find bar</source>
        <translation>关闭查找栏</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::ForkDialog</name>
    <message>
        <source>Life of each copy</source>
        <translation>每个副本的时长</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>分叉</translation>
    </message>
    <message>
        <source>How many copies of %1 shall be made?</source>
        <translation>要创建 %1 的多少个副本？</translation>
    </message>
    <message>
        <source>Each copy is a sandbox of its own, with its own id and lease, and on a paid server its time is billed. %1 goes on as it is.</source>
        <translation>每个副本都是独立的沙箱，有自己的 ID 和租期；在付费服务器上会计费。%1 保持原样继续运行。</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>副本数</translation>
    </message>
    <message>
        <source>Life of each</source>
        <translation>每个的时长</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Fork %1</source>
        <translation>分叉 %1</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::IdLabel</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::ImportPreviewDialog</name>
    <message>
        <source>the file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>environment variable %1</source>
        <translation>环境变量 %1</translation>
    </message>
    <message>
        <source>the file; has no meaning in Boxdeck</source>
        <translation>文件；在 Boxdeck 中没有意义</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>Import a connection profile</source>
        <translation>导入连接配置</translation>
    </message>
    <message>
        <source>These settings are in %1. Use them?</source>
        <translation>%1 中有以下设置。要使用它们吗？</translation>
    </message>
    <message>
        <source>Settings of the profile</source>
        <translation>配置中的设置</translation>
    </message>
    <message>
        <source>Option</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>The key goes into the desktop&apos;s keychain, and so do variables, metadata, network rules and mounts, which may hold secrets. None is written to a file.</source>
        <translation>密钥将存入桌面的密钥环；可能含有机密的变量、元数据、网络规则和挂载也是如此。它们都不会写入文件。</translation>
    </message>
    <message>
        <source>No key was found: neither in the file nor in the environment variable %1. You will be asked for it.</source>
        <translation>未找到密钥：文件和环境变量 %1 中都没有。稍后将请您输入。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Use these settings</source>
        <translation>使用这些设置</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::KeyDialog</name>
    <message>
        <source>Store in the keychain</source>
        <translation>保存到密钥环</translation>
    </message>
    <message>
        <source>Use for this session</source>
        <translation>仅用于本次会话</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API 密钥</translation>
    </message>
    <message>
        <source>Which key shall be used for %1?</source>
        <translation>%1 使用哪个密钥？</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>For this session only, the key stays in memory and has to be entered again at the next start. It is never written to a file.</source>
        <translation>仅用于本次会话时，密钥保留在内存中，下次启动需重新输入。密钥绝不会写入文件。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::KeyEdit</name>
    <message>
        <source>API key</source>
        <translation>API 密钥</translation>
    </message>
    <message>
        <source>e2b_…</source>
        <translation>e2b_…</translation>
    </message>
    <message>
        <source>Show the key</source>
        <translation>显示密钥</translation>
    </message>
    <message>
        <source>Hide the key</source>
        <translation>隐藏密钥</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::LifetimeDialog</name>
    <message>
        <source>How long</source>
        <translation>时长</translation>
    </message>
    <message numerus="yes">
        <source>%n min</source>
        <translation>
            <numerusform>%n 分钟</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n h</source>
        <translation>
            <numerusform>%n 小时</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::LineChart</name>
    <message>
        <source>No samples</source>
        <translation>没有采样</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%2 时为 %1</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::LogsPage</name>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Least level shown</source>
        <translation>显示的最低级别</translation>
    </message>
    <message>
        <source>All levels</source>
        <translation>所有级别</translation>
    </message>
    <message>
        <source>Info and above</source>
        <translation>信息及以上</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation>仅错误</translation>
    </message>
    <message>
        <source>Show lines with this text</source>
        <translation>显示包含此文本的行</translation>
    </message>
    <message>
        <source>Find in the log</source>
        <translation>在日志中查找</translation>
    </message>
    <message>
        <source>Number of lines</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>Follow new lines</source>
        <translation>跟随新行</translation>
    </message>
    <message>
        <source>Read the log again</source>
        <translation>重新读取日志</translation>
    </message>
    <message>
        <source>Save the shown lines to a file</source>
        <translation>将显示的行保存到文件</translation>
    </message>
    <message>
        <source>Save the log of %1</source>
        <translation>保存 %1 的日志</translation>
    </message>
    <message>
        <source>Lines of the log</source>
        <translation>日志行</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>The log of %1 was not read.</source>
        <translation>未能读取 %1 的日志。</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Lines: %1</source>
        <translation>行数：%1</translation>
    </message>
    <message>
        <source>Lines: %1 of %2</source>
        <translation>行数：%1 / %2</translation>
    </message>
    <message>
        <source>No logs here</source>
        <translation>没有日志</translation>
    </message>
    <message>
        <source>This server does not keep logs of its sandboxes.</source>
        <translation>此服务器不保存沙箱的日志。</translation>
    </message>
    <message>
        <source>No line of the log fits the level and the text above.</source>
        <translation>没有符合上方级别和文本的日志行。</translation>
    </message>
    <message>
        <source>The server has noted nothing about this sandbox.</source>
        <translation>服务器没有记录此沙箱的任何信息。</translation>
    </message>
    <message>
        <source>The log is being read.</source>
        <translation>正在读取日志。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::MainWindow</name>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Add account…</source>
        <translation>添加账户(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Manage accounts…</source>
        <translation>管理账户(&amp;M)…</translation>
    </message>
    <message>
        <source>Sandboxes on this computer at &amp;quit</source>
        <translation>退出时本机的沙箱(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Ask</source>
        <translation>询问(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Keep running</source>
        <translation>保持运行(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;About Boxdeck</source>
        <translation>关于 Boxdeck(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Refresh</source>
        <translation>刷新(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Next pane</source>
        <translation>下一个窗格(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous pane</source>
        <translation>上一个窗格(&amp;P)</translation>
    </message>
    <message>
        <source>Reset the &amp;layout</source>
        <translation>重置布局(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Like the desktop</source>
        <translation>跟随桌面(&amp;L)</translation>
    </message>
    <message>
        <source>L&amp;ight</source>
        <translation>浅色(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>语言(&amp;G)</translation>
    </message>
    <message>
        <source>The language changes when Boxdeck is started again.</source>
        <translation>语言将在下次启动 Boxdeck 时更改。</translation>
    </message>
    <message>
        <source>Like the &amp;desktop</source>
        <translation>跟随桌面(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Sandbox</source>
        <translation>沙箱(&amp;S)</translation>
    </message>
    <message>
        <source>New &amp;terminal</source>
        <translation>新建终端(&amp;T)</translation>
    </message>
    <message>
        <source>New sandbox…</source>
        <translation>新建沙箱…</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>Boxdeck</source>
        <translation>Boxdeck</translation>
    </message>
    <message>
        <source>Sandboxes</source>
        <translation>沙箱</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>活动</translation>
    </message>
    <message>
        <source>Main toolbar</source>
        <translation>主工具栏</translation>
    </message>
    <message>
        <source>The sandbox %1 ends in %2.</source>
        <translation>沙箱%1将在 %2后结束。</translation>
    </message>
    <message>
        <source>The sandboxes on this computer are being stopped.</source>
        <translation>正在停止本机的沙箱。</translation>
    </message>
    <message>
        <source>%1 – Boxdeck</source>
        <translation>%1 – Boxdeck</translation>
    </message>
    <message>
        <source>The environment variable E2B_API_KEY holds a key. It is not used unless you add an account with it.</source>
        <translation>环境变量 E2B_API_KEY 中有一个密钥。除非您用它添加账户，否则不会使用它。</translation>
    </message>
    <message>
        <source>Add account…</source>
        <translation>添加账户…</translation>
    </message>
    <message>
        <source>The sandbox %1 was created.</source>
        <translation>已创建沙箱%1。</translation>
    </message>
    <message>
        <source>Transfers</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>1 transfer running</source>
        <translation>1 个传输正在进行</translation>
    </message>
    <message numerus="yes">
        <source>%n transfers running</source>
        <translation>
            <numerusform>%n 个传输正在进行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::ManageAccountsDialog</name>
    <message>
        <source>Replace key…</source>
        <translation>更换密钥…</translation>
    </message>
    <message>
        <source>Remove account…</source>
        <translation>移除账户…</translation>
    </message>
    <message>
        <source>Accounts</source>
        <translation>账户</translation>
    </message>
    <message>
        <source>Add account…</source>
        <translation>添加账户…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Account name</source>
        <translation>账户名称</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>boxdeck-host on this computer</source>
        <translation>本机的 boxdeck-host</translation>
    </message>
    <message>
        <source>made by the server itself</source>
        <translation>由服务器自行生成</translation>
    </message>
    <message>
        <source>in memory, for this session only</source>
        <translation>在内存中，仅用于本次会话</translation>
    </message>
    <message>
        <source>in the desktop&apos;s keychain</source>
        <translation>在桌面的密钥环中</translation>
    </message>
    <message>
        <source>The account %1 was not renamed.</source>
        <translation>未能重命名账户 %1。</translation>
    </message>
    <message>
        <source>Remove account</source>
        <translation>移除账户</translation>
    </message>
    <message>
        <source>Remove the account %1?</source>
        <translation>移除账户%1吗？</translation>
    </message>
    <message>
        <source>Its key is deleted from the keychain. Its sandboxes stay on the server.</source>
        <translation>其密钥将从密钥环中删除。其沙箱仍留在服务器上。</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除%1</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>The account %1 was not removed.</source>
        <translation>未能移除账户%1。</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Export profile…</source>
        <translation>导出配置…</translation>
    </message>
    <message>
        <source>Import profile…</source>
        <translation>导入配置…</translation>
    </message>
    <message>
        <source>Details of the account</source>
        <translation>账户详情</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>账户</translation>
    </message>
    <message>
        <source>What this server can do</source>
        <translation>此服务器的功能</translation>
    </message>
    <message>
        <source>Edit the account</source>
        <translation>编辑账户</translation>
    </message>
    <message>
        <source>Writes how to reach the server to a file, without the key.</source>
        <translation>将如何连接服务器写入文件，不含密钥。</translation>
    </message>
    <message>
        <source>Export the profile of %1</source>
        <translation>导出 %1 的配置</translation>
    </message>
    <message>
        <source>Connection profiles (*.json)</source>
        <translation>连接配置 (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>The profile of %1 was not exported.</source>
        <translation>未能导出 %1 的配置。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::MetricsPage</name>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>How far back</source>
        <translation>时间范围</translation>
    </message>
    <message>
        <source>Last 15 minutes</source>
        <translation>最近 15 分钟</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>最近 1 小时</translation>
    </message>
    <message>
        <source>Last day</source>
        <translation>最近 1 天</translation>
    </message>
    <message>
        <source>Everything kept</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>When it was measured</source>
        <translation>测量时间</translation>
    </message>
    <message>
        <source>The metrics of %1 were not read.</source>
        <translation>未能读取 %1 的指标。</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>/ %1</translation>
    </message>
    <message>
        <source>as of %1</source>
        <translation>截至 %1</translation>
    </message>
    <message>
        <source>No metrics here</source>
        <translation>没有指标</translation>
    </message>
    <message>
        <source>This server does not measure its sandboxes.</source>
        <translation>此服务器不测量其沙箱。</translation>
    </message>
    <message>
        <source>Nothing was measured in this time. A sandbox is measured while it runs.</source>
        <translation>这段时间内没有测量数据。沙箱只在运行时被测量。</translation>
    </message>
    <message>
        <source>The metrics are being read.</source>
        <translation>正在读取指标。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::NewSandboxDialog</name>
    <message>
        <source>Time to live</source>
        <translation>存活时间</translation>
    </message>
    <message>
        <source>Wake it when something connects to it</source>
        <translation>有连接时唤醒它</translation>
    </message>
    <message>
        <source>Ask for a token before files and programs can be reached</source>
        <translation>访问文件和程序前要求令牌</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Create sandbox</source>
        <translation>创建沙箱</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>New sandbox</source>
        <translation>新建沙箱</translation>
    </message>
    <message>
        <source>New sandbox – %1</source>
        <translation>新建沙箱 – %1</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Optional, for people</source>
        <translation>可选，便于识别</translation>
    </message>
    <message>
        <source>When its time is over</source>
        <translation>时间到期时</translation>
    </message>
    <message>
        <source>Kill it: programs and files are gone</source>
        <translation>终止：程序和文件将消失</translation>
    </message>
    <message>
        <source>Pause it: it can be resumed later</source>
        <translation>暂停：稍后可以恢复</translation>
    </message>
    <message>
        <source>Te&amp;mplate</source>
        <translation>模板(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Time to live</source>
        <translation>存活时间(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;At its end</source>
        <translation>到期时(&amp;A)</translation>
    </message>
    <message>
        <source>Security</source>
        <translation>安全</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>Creating…</source>
        <translation>正在创建…</translation>
    </message>
    <message>
        <source>No sandbox was created.</source>
        <translation>未能创建沙箱。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::OverviewPage</name>
    <message>
        <source>What the server says</source>
        <translation>服务器的说明</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>启动时间</translation>
    </message>
    <message>
        <source>Ends</source>
        <translation>结束时间</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>At its end</source>
        <translation>到期时</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Internet</source>
        <translation>互联网</translation>
    </message>
    <message>
        <source>Daemon (envd)</source>
        <translation>守护进程 (envd)</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>域名</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限制</translation>
    </message>
    <message>
        <source>The server tells no limits.</source>
        <translation>服务器未提供限制信息。</translation>
    </message>
    <message numerus="yes">
        <source>%n CPUs</source>
        <translation>
            <numerusform>%n 个 CPU</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 memory</source>
        <translation>%1 内存</translation>
    </message>
    <message>
        <source>%1 disk</source>
        <translation>%1 磁盘</translation>
    </message>
    <message>
        <source>It has no metadata.</source>
        <translation>没有元数据。</translation>
    </message>
    <message>
        <source>It is paused.</source>
        <translation>暂停。</translation>
    </message>
    <message>
        <source>It is killed.</source>
        <translation>终止。</translation>
    </message>
    <message>
        <source>Traffic wakes it.</source>
        <translation>有流量时唤醒。</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>不允许</translation>
    </message>
    <message>
        <source>enforced</source>
        <translation>强制执行</translation>
    </message>
    <message>
        <source>watched</source>
        <translation>监视</translation>
    </message>
    <message>
        <source>not available</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程数</translation>
    </message>
    <message>
        <source>Open files</source>
        <translation>打开的文件数</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::PairsEditor</name>
    <message>
        <source>%1, row %2</source>
        <translation>%1，第 %2 行</translation>
    </message>
    <message>
        <source>Remove row %1</source>
        <translation>移除第 %1 行</translation>
    </message>
    <message>
        <source>Remove this row</source>
        <translation>移除此行</translation>
    </message>
    <message>
        <source>The value “%1” has no name. Give it one, or remove the row.</source>
        <translation>值“%1”没有名称。请填写名称或移除该行。</translation>
    </message>
    <message>
        <source>“%1” can&apos;t name a variable. Use letters, digits and underscores, not beginning with a digit.</source>
        <translation>“%1”不能作为变量名。请使用字母、数字和下划线，且不以数字开头。</translation>
    </message>
    <message>
        <source>“%1” is there twice. Remove one of the rows.</source>
        <translation>“%1”重复出现。请移除其中一行。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::PathBar</name>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Click beside the names to type a path</source>
        <translation>点击名称旁边可输入路径</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Top folder</source>
        <translation>顶层文件夹</translation>
    </message>
    <message>
        <source>Folder %1</source>
        <translation>文件夹 %1</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::PromptBar</name>
    <message>
        <source>Terminal message</source>
        <translation>终端消息</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation>关闭消息</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::QuitFlow</name>
    <message>
        <source>Quit Boxdeck</source>
        <translation>退出 Boxdeck</translation>
    </message>
    <message>
        <source>A transfer is still running. Quit all the same?</source>
        <translation>还有一个传输正在进行。仍要退出吗？</translation>
    </message>
    <message numerus="yes">
        <source>%n transfers are still running. Quit all the same?</source>
        <translation>
            <numerusform>还有 %n 个传输正在进行。仍要退出吗？</numerusform>
        </translation>
    </message>
    <message>
        <source>What has not arrived yet is given up. No half-written file is left under its real name.</source>
        <translation>尚未到达的内容将被放弃。不会在真实文件名下留下不完整的文件。</translation>
    </message>
    <message>
        <source>Keep transferring</source>
        <translation>继续传输</translation>
    </message>
    <message>
        <source>Stop sandboxes</source>
        <translation>停止沙箱</translation>
    </message>
    <message>
        <source>Don&apos;t quit</source>
        <translation>不退出</translation>
    </message>
    <message>
        <source>A sandbox lives on this computer. Keep it?</source>
        <translation>本机上有一个沙箱。要保留它吗？</translation>
    </message>
    <message numerus="yes">
        <source>%n sandboxes live on this computer. Keep them?</source>
        <translation>
            <numerusform>本机上有 %n 个沙箱。要保留它们吗？</numerusform>
        </translation>
    </message>
    <message>
        <source>Kept, running programs go on until the time of their sandbox ends, and Boxdeck finds them again. Stopped, all programs end now, also those of paused sandboxes; files stay.</source>
        <translation>保留：运行中的程序会继续到沙箱到期，Boxdeck 下次会重新找到它们。停止：所有程序立即结束，包括已暂停沙箱中的程序；文件仍会保留。</translation>
    </message>
    <message>
        <source>Keep sandboxes</source>
        <translation>保留沙箱</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::SandboxActions</name>
    <message>
        <source>The sandbox %1 was gone already. Nothing was done.</source>
        <translation>沙箱%1早已不存在。未执行任何操作。</translation>
    </message>
    <message numerus="yes">
        <source>%n sandboxes were gone already. Nothing was done to them.</source>
        <translation>
            <numerusform>%n 个沙箱早已不存在。未对它们执行任何操作。</numerusform>
        </translation>
    </message>
    <message>
        <source>The sandbox %1 is paused.</source>
        <translation>沙箱%1已暂停。</translation>
    </message>
    <message numerus="yes">
        <source>%n sandboxes are paused.</source>
        <translation>
            <numerusform>%n 个沙箱已暂停。</numerusform>
        </translation>
    </message>
    <message>
        <source>The sandbox %1 was not paused.</source>
        <translation>未能暂停沙箱%1。</translation>
    </message>
    <message>
        <source>the sandbox %1</source>
        <translation>沙箱%1</translation>
    </message>
    <message numerus="yes">
        <source>%n sandboxes</source>
        <translation>
            <numerusform>%n 个沙箱</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>For how long shall %1 run?</source>
        <translation>%1要运行多久？</translation>
    </message>
    <message>
        <source>Resuming starts a new lease from now, and on a paid server the time is billed.</source>
        <translation>恢复后从现在起重新计时；在付费服务器上，这段时间会计费。</translation>
    </message>
    <message>
        <source>Resume %1</source>
        <translation>恢复%1</translation>
    </message>
    <message numerus="yes">
        <source>Resume %n sandboxes</source>
        <translation>
            <numerusform>恢复 %n 个沙箱</numerusform>
        </translation>
    </message>
    <message>
        <source>The sandbox %1 runs again.</source>
        <translation>沙箱%1已恢复运行。</translation>
    </message>
    <message numerus="yes">
        <source>%n sandboxes run again.</source>
        <translation>
            <numerusform>%n 个沙箱已恢复运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>The sandbox %1 was not resumed.</source>
        <translation>未能恢复沙箱%1。</translation>
    </message>
    <message>
        <source>The sandbox %2 lives %1 longer.</source>
        <translation>沙箱%2的时间已延长 %1。</translation>
    </message>
    <message numerus="yes">
        <source>%n sandboxes live %1 longer.</source>
        <translation>
            <numerusform>%n 个沙箱的时间已延长 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>The lifetime of the sandbox %1 was not extended.</source>
        <translation>未能延长沙箱%1的时间。</translation>
    </message>
    <message>
        <source>Extend</source>
        <translation>延长</translation>
    </message>
    <message>
        <source>How much longer shall the sandbox %1 live?</source>
        <translation>沙箱%1要延长多久？</translation>
    </message>
    <message numerus="yes">
        <source>How much longer shall %n sandboxes live?</source>
        <translation>
            <numerusform>%n 个沙箱要延长多久？</numerusform>
        </translation>
    </message>
    <message>
        <source>This is added to the time it has left.</source>
        <translation>将加到其剩余时间上。</translation>
    </message>
    <message>
        <source>Extend %1</source>
        <translation>延长%1</translation>
    </message>
    <message numerus="yes">
        <source>Extend %n sandboxes</source>
        <translation>
            <numerusform>延长 %n 个沙箱</numerusform>
        </translation>
    </message>
    <message>
        <source>Kill %1</source>
        <translation>终止%1</translation>
    </message>
    <message numerus="yes">
        <source>Kill %n sandboxes</source>
        <translation>
            <numerusform>终止 %n 个沙箱</numerusform>
        </translation>
    </message>
    <message>
        <source>Kill sandbox</source>
        <translation>终止沙箱</translation>
    </message>
    <message>
        <source>Kill sandboxes</source>
        <translation>终止沙箱</translation>
    </message>
    <message>
        <source>Kill the sandbox %1?</source>
        <translation>终止沙箱%1吗？</translation>
    </message>
    <message numerus="yes">
        <source>Kill these %n sandboxes?</source>
        <translation>
            <numerusform>终止这 %n 个沙箱吗？</numerusform>
        </translation>
    </message>
    <message>
        <source>Its programs end at once and its files are deleted. This can&apos;t be undone.</source>
        <translation>其程序将立即结束，文件将被删除。此操作无法撤销。</translation>
    </message>
    <message>
        <source>Their programs end at once and their files are deleted. This can&apos;t be undone.</source>
        <translation>它们的程序将立即结束，文件将被删除。此操作无法撤销。</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Keep them</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>The sandbox %1 was killed.</source>
        <translation>已终止沙箱%1。</translation>
    </message>
    <message numerus="yes">
        <source>%n sandboxes were killed.</source>
        <translation>
            <numerusform>已终止 %n 个沙箱。</numerusform>
        </translation>
    </message>
    <message>
        <source>The sandbox %1 was not killed.</source>
        <translation>未能终止沙箱%1。</translation>
    </message>
    <message>
        <source>The sandbox %1 was not forked.</source>
        <translation>沙箱 %1 未能分叉。</translation>
    </message>
    <message>
        <source>A copy of the sandbox %1 was made.</source>
        <translation>已创建沙箱 %1 的一个副本。</translation>
    </message>
    <message numerus="yes">
        <source>%n copies of the sandbox %1 were made.</source>
        <translation>
            <numerusform>已创建沙箱 %1 的 %n 个副本。</numerusform>
        </translation>
    </message>
    <message>
        <source>Copies of the sandbox %1 that were not made: %2 of %3.</source>
        <translation>沙箱 %1 未能创建的副本：%3 个中的 %2 个。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::SandboxesPane</name>
    <message>
        <source>Sandboxes</source>
        <translation>沙箱</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Resume…</source>
        <translation>恢复…</translation>
    </message>
    <message>
        <source>Extend by 15 min</source>
        <translation>延长 15 分钟</translation>
    </message>
    <message>
        <source>Extend by 1 h</source>
        <translation>延长 1 小时</translation>
    </message>
    <message>
        <source>Extend by…</source>
        <translation>延长…</translation>
    </message>
    <message>
        <source>Kill…</source>
        <translation>终止…</translation>
    </message>
    <message>
        <source>Copy ID</source>
        <translation>复制 ID</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>Filter the sandboxes</source>
        <translation>筛选沙箱</translation>
    </message>
    <message>
        <source>Filter by name, id, template, metadata</source>
        <translation>按名称、ID、模板、元数据筛选</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Sandbox commands</source>
        <translation>沙箱命令</translation>
    </message>
    <message>
        <source>Extend</source>
        <translation>延长</translation>
    </message>
    <message>
        <source>Extend the lifetime</source>
        <translation>延长存活时间</translation>
    </message>
    <message>
        <source>Columns of the sandboxes</source>
        <translation>沙箱列表的列</translation>
    </message>
    <message>
        <source>The sandboxes could not be listed; this is what was known at %1.</source>
        <translation>无法列出沙箱；以下是 %1 时的状态。</translation>
    </message>
    <message>
        <source>List again</source>
        <translation>重新列出</translation>
    </message>
    <message>
        <source>The sandboxes could not be listed.</source>
        <translation>无法列出沙箱。</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>The server is asked for its sandboxes.</source>
        <translation>正在向服务器查询沙箱。</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>没有匹配项</translation>
    </message>
    <message>
        <source>No sandbox matches the filter.</source>
        <translation>没有沙箱符合筛选条件。</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>No sandboxes</source>
        <translation>没有沙箱</translation>
    </message>
    <message>
        <source>None is running or paused in this account.</source>
        <translation>此账户中没有运行中或已暂停的沙箱。</translation>
    </message>
    <message>
        <source>New sandbox…</source>
        <translation>新建沙箱…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>The key was not accepted</source>
        <translation>密钥未被接受</translation>
    </message>
    <message>
        <source>The sandboxes can&apos;t be shown</source>
        <translation>无法显示沙箱</translation>
    </message>
    <message>
        <source>Enter another key…</source>
        <translation>输入其他密钥…</translation>
    </message>
    <message>
        <source>Fork…</source>
        <translation>分叉…</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::SnapshotsPage</name>
    <message>
        <source>Snapshots</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>Name of the new snapshot</source>
        <translation>新快照的名称</translation>
    </message>
    <message>
        <source>Name, optional</source>
        <translation>名称（可选）</translation>
    </message>
    <message>
        <source>Take a snapshot</source>
        <translation>创建快照</translation>
    </message>
    <message>
        <source>New sandbox from the selected snapshot…</source>
        <translation>用所选快照新建沙箱…</translation>
    </message>
    <message>
        <source>Copy the id of the selected snapshot</source>
        <translation>复制所选快照的 ID</translation>
    </message>
    <message>
        <source>Delete the selected snapshot…</source>
        <translation>删除所选快照…</translation>
    </message>
    <message>
        <source>Read the list again</source>
        <translation>重新读取列表</translation>
    </message>
    <message>
        <source>Snapshots of this sandbox</source>
        <translation>此沙箱的快照</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>New sandbox…</source>
        <translation>新建沙箱…</translation>
    </message>
    <message>
        <source>The snapshots of %1 were not read.</source>
        <translation>未能读取 %1 的快照。</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>without a name</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>The snapshot %1 was taken.</source>
        <translation>已创建快照 %1。</translation>
    </message>
    <message>
        <source>No snapshot of %1 was taken.</source>
        <translation>未能创建 %1 的快照。</translation>
    </message>
    <message>
        <source>Delete a snapshot</source>
        <translation>删除快照</translation>
    </message>
    <message>
        <source>Delete the snapshot %1?</source>
        <translation>要删除快照 %1 吗？</translation>
    </message>
    <message>
        <source>It is gone for good, with all its tags. The sandbox stays as it is.</source>
        <translation>快照及其所有标签将被永久删除。沙箱保持原样。</translation>
    </message>
    <message>
        <source>Delete the snapshot</source>
        <translation>删除快照</translation>
    </message>
    <message>
        <source>The snapshot %1 was deleted.</source>
        <translation>已删除快照 %1。</translation>
    </message>
    <message>
        <source>The snapshot %1 was not deleted.</source>
        <translation>未能删除快照 %1。</translation>
    </message>
    <message>
        <source>Keep the sandbox as it is now, to make others from it</source>
        <translation>保存沙箱现在的样子，以便用它创建其他沙箱</translation>
    </message>
    <message>
        <source>Only a running sandbox can be kept: resume it first</source>
        <translation>只能保存正在运行的沙箱：请先恢复它</translation>
    </message>
    <message>
        <source>No snapshots here</source>
        <translation>没有快照</translation>
    </message>
    <message>
        <source>This server can&apos;t keep snapshots.</source>
        <translation>此服务器不支持快照。</translation>
    </message>
    <message>
        <source>No snapshot yet</source>
        <translation>还没有快照</translation>
    </message>
    <message>
        <source>A snapshot keeps the sandbox as it is, so that others can be made from it.</source>
        <translation>快照保存沙箱的现状，以便用它创建其他沙箱。</translation>
    </message>
    <message>
        <source>The snapshots are being read.</source>
        <translation>正在读取快照。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::StartPage</name>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>No sandbox is open</source>
        <translation>没有打开的沙箱</translation>
    </message>
    <message>
        <source>Open one from the list with a double-click or Enter, or create a new one.</source>
        <translation>在列表中双击或按回车键打开一个沙箱，或者新建一个。</translation>
    </message>
    <message>
        <source>New sandbox…</source>
        <translation>新建沙箱…</translation>
    </message>
    <message>
        <source>Welcome to Boxdeck</source>
        <translation>欢迎使用 Boxdeck</translation>
    </message>
    <message>
        <source>Where do your sandboxes live? You can add more later.</source>
        <translation>您的沙箱在哪里？以后还可以添加更多。</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Sandboxes run here, each in a container of its own. No account and no network are needed.</source>
        <translation>沙箱在本机运行，每个都在独立的容器中。无需账户，也无需网络。</translation>
    </message>
    <message>
        <source>Use this computer</source>
        <translation>使用本机</translation>
    </message>
    <message>
        <source>A server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>E2B Cloud or any server that speaks its protocol, with an API key that stays in your keychain.</source>
        <translation>E2B 云或任何兼容其协议的服务器，API 密钥保存在您的密钥环中。</translation>
    </message>
    <message>
        <source>Add account…</source>
        <translation>添加账户…</translation>
    </message>
    <message>
        <source>New sandbox on this computer…</source>
        <translation>在本机新建沙箱…</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::StatusLine</name>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>No account</source>
        <translation>没有账户</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>old: as of %1</source>
        <translation>已过时：截至 %1</translation>
    </message>
    <message>
        <source>as of %1</source>
        <translation>截至 %1</translation>
    </message>
    <message>
        <source>%1 running, %2 paused</source>
        <translation>%1 个运行中，%2 个已暂停</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::TemplatesPane</name>
    <message>
        <source>New sandbox from this template…</source>
        <translation>用此模板新建沙箱…</translation>
    </message>
    <message>
        <source>Copy ID</source>
        <translation>复制 ID</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Filter the templates</source>
        <translation>筛选模板</translation>
    </message>
    <message>
        <source>Filter by name or id</source>
        <translation>按名称或 ID 筛选</translation>
    </message>
    <message>
        <source>Columns of the templates</source>
        <translation>模板列表的列</translation>
    </message>
    <message>
        <source>The templates could not be listed; this is what was known at %1.</source>
        <translation>无法列出模板；以下是 %1 时的状态。</translation>
    </message>
    <message>
        <source>List again</source>
        <translation>重新列出</translation>
    </message>
    <message>
        <source>Templates appear here once the account is connected.</source>
        <translation>账户连接后，模板会显示在这里。</translation>
    </message>
    <message>
        <source>The templates could not be listed.</source>
        <translation>无法列出模板。</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>The server is asked for its templates.</source>
        <translation>正在向服务器查询模板。</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>没有匹配项</translation>
    </message>
    <message>
        <source>No template matches the filter.</source>
        <translation>没有模板符合筛选条件。</translation>
    </message>
    <message>
        <source>No templates</source>
        <translation>没有模板</translation>
    </message>
    <message>
        <source>This account has no templates of its own.</source>
        <translation>此账户没有自己的模板。</translation>
    </message>
    <message>
        <source>It has no build that is ready.</source>
        <translation>它没有就绪的构建。</translation>
    </message>
    <message>
        <source>Builds of it are ready, but none carries the tag “default”, and waiting won&apos;t change that. Build it again with that tag, or move the tag to one of them.</source>
        <translation>它有就绪的构建，但都没有“default”标签，等待也不会改变这一点。请用该标签重新构建，或者将该标签移到其中一个构建上。</translation>
    </message>
    <message>
        <source>No sandbox can be made from %1.</source>
        <translation>无法从 %1 创建沙箱。</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::TerminalPane</name>
    <message>
        <source>Terminals</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>Terminal tabs</source>
        <translation>终端标签页</translation>
    </message>
    <message>
        <source>New terminal</source>
        <translation>新建终端</translation>
    </message>
    <message>
        <source>New terminal (Ctrl+Shift+T)</source>
        <translation>新建终端 (Ctrl+Shift+T)</translation>
    </message>
    <message>
        <source>No terminal open</source>
        <translation>没有打开的终端</translation>
    </message>
    <message>
        <source>Open a shell to work inside the sandbox.</source>
        <translation>打开 shell 以在沙箱中工作。</translation>
    </message>
    <message>
        <source>Open a terminal</source>
        <translation>打开终端</translation>
    </message>
    <message>
        <source>Close terminal</source>
        <translation>关闭终端</translation>
    </message>
    <message>
        <source>Previous terminal</source>
        <translation>上一个终端</translation>
    </message>
    <message>
        <source>Next terminal</source>
        <translation>下一个终端</translation>
    </message>
    <message>
        <source>Close the terminal “%1”?</source>
        <translation>关闭终端“%1”吗？</translation>
    </message>
    <message>
        <source>Ending its shell also ends what runs in it. Kept running, it is found again the next time the sandbox is opened here.</source>
        <translation>结束其 shell 也会结束其中运行的程序。若保持运行，下次在此打开沙箱时会重新找到它。</translation>
    </message>
    <message>
        <source>End the shell</source>
        <translation>结束 shell</translation>
    </message>
    <message>
        <source>Keep it running</source>
        <translation>保持运行</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::TerminalTab</name>
    <message numerus="yes">
        <source>%n byte(s) typed here did not reach the shell.</source>
        <translation>
            <numerusform>在此键入的 %n 字节未送达 shell。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s) typed here may not have reached the shell; look before typing them again.</source>
        <translation>
            <numerusform>在此键入的 %n 字节可能未送达 shell；请查看后再重新键入。</numerusform>
        </translation>
    </message>
    <message>
        <source>The terminal has no room for so much input now. Nothing of it was sent; try a smaller part.</source>
        <translation>终端目前无法接收这么多输入。内容均未发送；请分批尝试。</translation>
    </message>
    <message>
        <source>The link leads to “%1” and is not opened: only web and mail addresses are.</source>
        <translation>该链接指向“%1”，未打开：只能打开网页和邮件地址。</translation>
    </message>
    <message>
        <source>Attached to a shell that was running already; what it printed before %1 is not here.</source>
        <translation>已连接到先前运行的 shell；它在 %1 之前的输出不在此处。</translation>
    </message>
    <message>
        <source>What was printed between %1 and %2 was not received.</source>
        <translation>%1 到 %2 之间的输出未收到。</translation>
    </message>
    <message numerus="yes">
        <source>It has %n lines, and the shell runs each as it arrives.</source>
        <translation>
            <numerusform>共 %n 行，shell 会在每行到达时立即执行。</numerusform>
        </translation>
    </message>
    <message>
        <source>It ends with a line end, so the shell runs it at once.</source>
        <translation>它以换行结尾，shell 会立即执行。</translation>
    </message>
    <message>
        <source>It runs something as another user (sudo or the like).</source>
        <translation>它会以其他用户身份运行程序（sudo 之类）。</translation>
    </message>
    <message>
        <source>It holds control characters, which are left out.</source>
        <translation>它包含控制字符，这些字符将被略去。</translation>
    </message>
    <message>
        <source>Paste “%1”?</source>
        <translation>粘贴“%1”吗？</translation>
    </message>
    <message numerus="yes">
        <source>Paste %n lines</source>
        <translation>
            <numerusform>粘贴 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Open %1 on this computer? Output in the sandbox made this link.</source>
        <translation>在本机打开 %1 吗？此链接来自沙箱中的输出。</translation>
    </message>
    <message>
        <source>Open link</source>
        <translation>打开链接</translation>
    </message>
    <message numerus="yes">
        <source>A program in this terminal put %n character(s) on the clipboard.</source>
        <translation>
            <numerusform>此终端中的程序将 %n 个字符放入了剪贴板。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A program in this terminal wants to put %n character(s) on the clipboard: “%1”</source>
        <translation>
            <numerusform>此终端中的程序想将 %n 个字符放入剪贴板：“%1”</numerusform>
        </translation>
    </message>
    <message>
        <source>Put on clipboard</source>
        <translation>放入剪贴板</translation>
    </message>
    <message>
        <source>Save the terminal&apos;s output</source>
        <translation>保存终端输出</translation>
    </message>
    <message>
        <source>Opening a shell in the sandbox…</source>
        <translation>正在沙箱中打开 shell…</translation>
    </message>
    <message>
        <source>The shell ended.</source>
        <translation>shell 已结束。</translation>
    </message>
    <message>
        <source>The shell was ended: %1.</source>
        <translation>shell 被结束：%1。</translation>
    </message>
    <message>
        <source>The shell ended with exit status %1.</source>
        <translation>shell 已结束，退出状态为 %1。</translation>
    </message>
    <message>
        <source>Press Enter to open a new one.</source>
        <translation>按回车键打开新的 shell。</translation>
    </message>
    <message>
        <source>New shell</source>
        <translation>新建 shell</translation>
    </message>
    <message>
        <source>The sandbox can&apos;t be reached.</source>
        <translation>无法连接沙箱。</translation>
    </message>
    <message>
        <source>The connection to the sandbox broke at %1; output since then is missing, the shell may still run.</source>
        <translation>与沙箱的连接于 %1 中断；此后的输出缺失，shell 可能仍在运行。</translation>
    </message>
    <message>
        <source>Trying again in %1 s; Enter tries now.</source>
        <translation>%1 秒后重试；按回车键立即重试。</translation>
    </message>
    <message>
        <source>Trying again…</source>
        <translation>正在重试…</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>重新连接</translation>
    </message>
    <message>
        <source>What it printed after %1 was not received.</source>
        <translation>%1 之后的输出未收到。</translation>
    </message>
    <message>
        <source>The shell is gone: it no longer runs in the sandbox.</source>
        <translation>shell 已不在沙箱中运行。</translation>
    </message>
    <message>
        <source>The sandbox is paused. Its shell waits there and goes on when the sandbox is resumed.</source>
        <translation>沙箱已暂停。其中的 shell 会等待，沙箱恢复后继续运行。</translation>
    </message>
    <message>
        <source>Resume sandbox</source>
        <translation>恢复沙箱</translation>
    </message>
    <message>
        <source>The sandbox has ended, and its shell with it. What is on screen can still be read and saved.</source>
        <translation>沙箱已结束，其 shell 也随之结束。屏幕上的内容仍可阅读和保存。</translation>
    </message>
    <message>
        <source>No shell was opened in the sandbox.</source>
        <translation>未能在沙箱中打开 shell。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::TerminalView</name>
    <message>
        <source>Terminal</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>Scrollback position</source>
        <translation>回滚位置</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Open link…</source>
        <translation>打开链接…</translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation>复制链接地址</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>Save output as…</source>
        <translation>将输出另存为…</translation>
    </message>
    <message>
        <source>Clear scrollback</source>
        <translation>清除回滚内容</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::TestReportView</name>
    <message>
        <source>Result of the test</source>
        <translation>测试结果</translation>
    </message>
    <message>
        <source>Trying the server…</source>
        <translation>正在测试服务器…</translation>
    </message>
    <message>
        <source>Find the server&apos;s address (DNS)</source>
        <translation>查找服务器地址 (DNS)</translation>
    </message>
    <message>
        <source>Connect (TCP)</source>
        <translation>连接 (TCP)</translation>
    </message>
    <message>
        <source>Check its certificate (TLS)</source>
        <translation>检查证书 (TLS)</translation>
    </message>
    <message>
        <source>Present the key</source>
        <translation>出示密钥</translation>
    </message>
    <message>
        <source>List the sandboxes</source>
        <translation>列出沙箱</translation>
    </message>
    <message>
        <source>%1: passed, %2 ms</source>
        <translation>%1：通过，%2 毫秒</translation>
    </message>
    <message>
        <source>%1: does not apply here</source>
        <translation>%1：不适用</translation>
    </message>
    <message>
        <source>%1: failed</source>
        <translation>%1：失败</translation>
    </message>
    <message>
        <source>Everything works.</source>
        <translation>一切正常。</translation>
    </message>
    <message>
        <source>Read the CA file</source>
        <translation>读取 CA 文件</translation>
    </message>
    <message>
        <source>Reach the sandboxes</source>
        <translation>访问沙箱</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::TransfersPane</name>
    <message>
        <source>Transfers</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>Nothing is being copied</source>
        <translation>没有正在复制的内容</translation>
    </message>
    <message>
        <source>Drop files on a folder of a sandbox, or save files from one.</source>
        <translation>将文件拖放到沙箱的文件夹中，或从沙箱保存文件。</translation>
    </message>
    <message>
        <source>About the selected transfer</source>
        <translation>所选传输的信息</translation>
    </message>
    <message>
        <source>Files that were not copied</source>
        <translation>未复制的文件</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Clear finished</source>
        <translation>清除已完成</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… 及其他 %n 项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::Workspace</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Extend</source>
        <translation>延长</translation>
    </message>
    <message>
        <source>By 15 min</source>
        <translation>15 分钟</translation>
    </message>
    <message>
        <source>By 1 h</source>
        <translation>1 小时</translation>
    </message>
    <message>
        <source>By another time…</source>
        <translation>其他时长…</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Resume…</source>
        <translation>恢复…</translation>
    </message>
    <message>
        <source>Kill…</source>
        <translation>终止…</translation>
    </message>
    <message>
        <source>Files above, terminal below</source>
        <translation>上方为文件，下方为终端</translation>
    </message>
    <message>
        <source>Files and overview</source>
        <translation>文件和概览</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>%1 stands still, with its files and programs kept. Nothing here wakes it until you resume it.</source>
        <translation>%1已静止，文件和程序都会保留。在您恢复它之前，这里的任何操作都不会唤醒它。</translation>
    </message>
    <message>
        <source>%1 is paused: its programs stand still until it is resumed.</source>
        <translation>%1已暂停：其程序在恢复前保持静止。</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>%1 has ended: its time ran out or it was killed.</source>
        <translation>%1已结束：时间用尽或被终止。</translation>
    </message>
    <message>
        <source>Close this tab</source>
        <translation>关闭此标签页</translation>
    </message>
    <message>
        <source>%1 has ended. What was shown stays readable here.</source>
        <translation>%1已结束。已显示的内容仍可在此阅读。</translation>
    </message>
    <message>
        <source>Changing</source>
        <translation>变更中</translation>
    </message>
    <message>
        <source>%1 is being started, paused or resumed.</source>
        <translation>%1正在启动、暂停或恢复。</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>状态未知</translation>
    </message>
    <message>
        <source>%1 could not be asked for.</source>
        <translation>无法查询%1。</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>重新查询</translation>
    </message>
    <message>
        <source>Looking for it</source>
        <translation>正在查找</translation>
    </message>
    <message>
        <source>The server is asked for %1.</source>
        <translation>正在向服务器查询%1。</translation>
    </message>
    <message>
        <source>Extend by 15 min</source>
        <translation>延长 15 分钟</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Ends at %1 (%2)</source>
        <translation>结束于 %1（%2）</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Asking</source>
        <translation>查询中</translation>
    </message>
    <message>
        <source>%1 ends in less than 5 minutes.</source>
        <translation>%1将在 5 分钟内结束。</translation>
    </message>
    <message>
        <source>%1 ends in less than a minute.</source>
        <translation>%1将在 1 分钟内结束。</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Snapshots</source>
        <translation>快照</translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::WorkspaceTabs</name>
    <message>
        <source>Opened sandboxes</source>
        <translation>已打开的沙箱</translation>
    </message>
    <message>
        <source>Close this tab</source>
        <translation>关闭此标签页</translation>
    </message>
    <message>
        <source>Close the tab %1</source>
        <translation>关闭标签页 %1</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>The data folder could not be made: %1
</source>
        <translation>无法创建数据文件夹：%1
</translation>
    </message>
    <message>
        <source>Another Boxdeck uses the data folder %1 and does not answer.
</source>
        <translation>另一个 Boxdeck 正在使用数据文件夹 %1，且没有响应。
</translation>
    </message>
</context>
</TS>
