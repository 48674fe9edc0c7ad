<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AccountText</name>
    <message>
        <source>not in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connecting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needs its key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This desktop has no keychain service, so the key can&apos;t be stored. Start one (such as gnome-keyring or KWallet), or keep the key in memory for this session only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keychain is locked, so the key was not stored. Unlock it and try again, or keep the key in memory for this session only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keychain refused to store the key. Allow it there and try again, or keep the key in memory for this session only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keychain did not answer within 5 seconds. Look for a question it asks, or keep the key in memory for this session only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keychain already holds another key for this account. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keychain could not store the key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter the server&apos;s address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address must begin with https:// or http://.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave user name and password out of the address: it is saved in the clear. The key belongs in its own field.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address must end before any ? or #.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not the address of a server. It looks like https://api.example.com.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CommandLine</name>
    <message>
        <source>The desktop for people who run E2B sandboxes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show this help.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep everything the app writes in DIR.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin with the account called NAME.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this server for this run only, with the key in E2B_API_KEY.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With --connect: one address for every sandbox.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With --connect: the sandboxes&apos; domain.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open this sandbox. It is not woken.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language for this run: en or zh_CN.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unexpected argument: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--data-dir needs a folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--connect needs the address of a server, such as https://api.example.com.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--sandbox-url needs an address, such as http://127.0.0.1:3002.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--sandbox-url and --domain belong to --connect.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Confirm</name>
    <message>
        <source>What it applies to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Format</name>
    <message>
        <source>%1 d %2 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SandboxText</name>
    <message>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ending</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sentence</name>
    <message>
        <source>The sandbox&apos;s disk is full. Delete files there, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is larger than the server accepts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server limits how often it may be asked. Try again in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server&apos;s limit is reached: too many requests, or too many sandboxes at once. Wait a little, or end a sandbox that is no longer needed, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server has no room for it now. Try again later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This desktop has no keychain service running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keychain is locked. Unlock it, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keychain refused access. Allow it there, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is gone: the server does not know it any more. Refresh the list to see what is there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has ended: its time ran out or it was killed. Nothing can bring it back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server refused access with this key. Check the key and what it is allowed to do under Accounts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server did not accept the key. Check or replace it under Accounts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server did not accept the request. Its answer is below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This server does not offer that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is paused. Resume it first; that starts its time again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something with this name is already there. Choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its state just changed, so that was not possible. Refresh, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No connection could be made in time. Check the network, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No answer came in time; it may have happened all the same. Refresh before trying again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is not able to answer now. Try again in a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection broke before the answer came; it may have happened all the same. Refresh before trying again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server can&apos;t be reached. Check the network and the server&apos;s address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server&apos;s answer could not be understood. Is the address that of an E2B-compatible server?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something unexpected went wrong. The details below help in a report.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This computer&apos;s disk is full. Free some space, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This computer could not do it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HTTP %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>request %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::app::Application</name>
    <message>
        <source>This computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The saved accounts could not be read and were set aside: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--connect needs the key of the server in the environment variable E2B_API_KEY.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no account called %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::models::SandboxModel</name>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Age</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ID</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::models::TemplateModel</name>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Build</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Updated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Times used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ID</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rebuilding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Building</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rebuild failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::AboutDialog</name>
    <message>
        <source>About Boxdeck</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boxdeck %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The desktop for people who run E2B sandboxes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later. It comes with no warranty, and it sends no telemetry.
Made with Qt %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::AccountStateView</name>
    <message>
        <source>No account</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sandboxes live on a server or on this computer. Choose where to begin.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add account…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The account %1 is not in use yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server for sandboxes on this computer is being started.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the keychain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key of %1 is read from the keychain.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No key is kept for %1. Enter it to go on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter key…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key can&apos;t be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key of %1 could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter the key for this session…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program boxdeck-host was not found beside Boxdeck. Install it, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server for sandboxes on this computer did not start. It says:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server for sandboxes on this computer did not get ready in time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Could not be started</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::AccountSwitcher</name>
    <message>
        <source>Account</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose an account</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Account: %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose or add an account</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add account…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Manage accounts…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::ActivityPane</name>
    <message>
        <source>Activity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was done from here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you do to sandboxes from here is noted here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::AddAccountDialog</name>
    <message>
        <source>E2B Cloud</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Own server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add account</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Account name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sandbox address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only if all sandboxes share one address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sandbox domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only if it differs from the server&apos;s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Server address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>API &amp;key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sandbox &amp;address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sandbox &amp;domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key is kept in the desktop&apos;s keychain, and never in a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter the API key. It begins with e2b_.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server was not tested.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adding…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep it for this session</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::DurationEdit</name>
    <message>
        <source>Unit of time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hours</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::EmptyState</name>
    <message>
        <source>Working</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::ErrorBar</name>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::IdLabel</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::KeyDialog</name>
    <message>
        <source>Store in the keychain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use for this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>API key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which key shall be used for %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For this session only, the key stays in memory and has to be entered again at the next start. It is never written to a file.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::KeyEdit</name>
    <message>
        <source>API key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>e2b_…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide the key</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::LifetimeDialog</name>
    <message>
        <source>How long</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n min</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n h</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::MainWindow</name>
    <message>
        <source>Menu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Add account…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Manage accounts…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sandboxes on this computer at &amp;quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Ask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keep running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Boxdeck</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Refresh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset the &amp;layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Like the desktop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L&amp;ight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The language changes when Boxdeck is started again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Like the &amp;desktop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Sandbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New &amp;terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New sandbox…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boxdeck</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sandboxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Templates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Main toolbar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox %1 ends in %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandboxes on this computer are being stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 – Boxdeck</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The environment variable E2B_API_KEY holds a key. It is not used unless you add an account with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add account…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox %1 was created.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::ManageAccountsDialog</name>
    <message>
        <source>Replace key…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove account…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accounts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add account…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Account name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>boxdeck-host on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made by the server itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in memory, for this session only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the desktop&apos;s keychain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The account %1 was not renamed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove account</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the account %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its key is deleted from the keychain. Its sandboxes stay on the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The account %1 was not removed.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::NewSandboxDialog</name>
    <message>
        <source>Time to live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wake it when something connects to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask for a token before files and programs can be reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Create sandbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New sandbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New sandbox – %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optional, for people</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When its time is over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kill it: programs and files are gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause it: it can be resumed later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Te&amp;mplate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Time to live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;At its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Security</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Environment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a template.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Creating…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sandbox was created.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::OverviewPage</name>
    <message>
        <source>What the server says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ID</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Internet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Daemon (envd)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server tells no limits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n CPUs</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has no metadata.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is paused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is killed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Traffic wakes it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>enforced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>watched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disk</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::PairsEditor</name>
    <message>
        <source>%1, row %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove row %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The value “%1” has no name. Give it one, or remove the row.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” can&apos;t name a variable. Use letters, digits and underscores, not beginning with a digit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is there twice. Remove one of the rows.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::QuitFlow</name>
    <message>
        <source>Quit Boxdeck</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A transfer is still running. Quit all the same?</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n transfers are still running. Quit all the same?</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>What has not arrived yet is given up. No half-written file is left under its real name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep transferring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A sandbox is running on this computer. Keep it running?</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n sandboxes are running on this computer. Keep them running?</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Kept, their programs go on until their time ends, and Boxdeck finds them again. Stopped, their programs end now; their files stay until their time ends.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop sandboxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Don&apos;t quit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::SandboxActions</name>
    <message>
        <source>The sandbox %1 was gone already. Nothing was done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n sandboxes were gone already. Nothing was done to them.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The sandbox %1 is paused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n sandboxes are paused.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The sandbox %1 was not paused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sandbox %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n sandboxes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For how long shall %1 run?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resuming starts a new lease from now, and on a paid server the time is billed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Resume %n sandboxes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The sandbox %1 runs again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n sandboxes run again.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The sandbox %1 was not resumed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox %2 lives %1 longer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n sandboxes live %1 longer.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The lifetime of the sandbox %1 was not extended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much longer shall the sandbox %1 live?</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>How much longer shall %n sandboxes live?</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>This is added to the time it has left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extend %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Extend %n sandboxes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Kill %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Kill %n sandboxes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Kill sandbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kill sandboxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kill the sandbox %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Kill these %n sandboxes?</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Its programs end at once and its files are deleted. This can&apos;t be undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Their programs end at once and their files are deleted. This can&apos;t be undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox %1 was killed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n sandboxes were killed.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The sandbox %1 was not killed.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::SandboxesPane</name>
    <message>
        <source>Sandboxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extend by 15 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extend by 1 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extend by…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kill…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy ID</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter the sandboxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter by name, id, template, metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sandbox commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extend the lifetime</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns of the sandboxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandboxes could not be listed; this is what was known at %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No answer from the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandboxes could not be listed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is asked for its sandboxes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sandbox matches the filter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sandboxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None is running or paused in this account.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New sandbox…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::StartPage</name>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sandbox is open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open one from the list with a double-click or Enter, or create a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New sandbox…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Welcome to Boxdeck</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where do your sandboxes live? You can add more later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sandboxes run here, each in a container of its own. No account and no network are needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E2B Cloud or any server that speaks its protocol, with an API key that stays in your keychain.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add account…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::StatusLine</name>
    <message>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No account</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>old: as of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 running, %2 paused</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::TemplatesPane</name>
    <message>
        <source>New sandbox from this template…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy ID</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Templates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter the templates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter by name or id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns of the templates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The templates could not be listed; this is what was known at %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Templates appear here once the account is connected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No answer from the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The templates could not be listed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is asked for its templates.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No template matches the filter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No templates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This account has no templates of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has no build that is ready.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sandbox can be made from %1: it has no build that is ready.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::TestReportView</name>
    <message>
        <source>Result of the test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trying the server…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find the server&apos;s address (DNS)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect (TCP)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check its certificate (TLS)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Present the key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List the sandboxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: passed, %2 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: does not apply here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything works.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::Workspace</name>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By 15 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By 1 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By another time…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kill…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files above, terminal below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files and overview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stands still, with its files and programs kept. Nothing here wakes it until you resume it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is paused: its programs stand still until it is resumed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has ended: its time ran out or it was killed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has ended. What was shown stays readable here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is being started, paused or resumed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 could not be asked for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is asked for %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ends in %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extend by 15 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends at %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::WorkspaceTabs</name>
    <message>
        <source>Opened sandboxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the tab %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>The data folder could not be made: %1
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another Boxdeck uses the data folder %1 and does not answer.
</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
