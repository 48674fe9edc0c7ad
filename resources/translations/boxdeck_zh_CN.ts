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
    <message>
        <source>Ended</source>
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
    <name>TransferSentence</name>
    <message>
        <source>Its name can&apos;t be sent: it is not UTF-8. Rename it, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its name can&apos;t be used on this computer, or would leave the chosen folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It changes while it is copied. Try again when nothing writes to it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not all of it arrived, so it was not kept. Try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox&apos;s disk is full. Delete files there, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This computer&apos;s disk is full. Free some space, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This computer does not let Boxdeck read it. Change its permissions, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder on this computer can&apos;t be written to. Choose another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not there any more on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder on this computer is not there any more. Choose another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A folder or link of that name is in the way. Rename or remove it, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: a link to a folder, or to something outside the folder that is copied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: a link that leads nowhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: a socket, a pipe or a device.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too deep, or too many entries. Copy a part of it at a time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: what was there was kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The permissions of the file it replaces could not be kept, so the old file stays. Delete that file, or choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing arrived for a while: the connection is stalled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox is paused. Resume it, then let the transfer go on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not in the sandbox any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox can&apos;t write it there (%1). Choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox can&apos;t read it (%1).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n files copied</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) not copied</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
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
    <name>boxdeck::models::RemoteFolderModel</name>
    <message>
        <source>leads nowhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>broken link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>special file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Modified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Permissions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Owner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link target</source>
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
    <name>boxdeck::models::TransferModel</name>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uploading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trying again soon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs an answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2, %3 of %n files</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min %2 s left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h %2 min left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui</name>
    <message>
        <source>Opening a shell in the sandbox…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The shell ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The shell was ended: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The shell ended with exit status %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press Enter to open a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New shell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox can&apos;t be reached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection to the sandbox broke at %1; output since then is missing, the shell may still run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trying again in %1 s; Enter tries now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trying again…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it printed after %1 was not received.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The shell is gone: it no longer runs in the sandbox.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox is paused. Its shell waits there and goes on when the sandbox is resumed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume sandbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox has ended, and its shell with it. What is on screen can still be read and saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No shell was opened in the sandbox.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
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
    <name>boxdeck::ui::ConflictBar</name>
    <message>
        <source>For the rest of this transfer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Question about an existing file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The two files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overwrite if newer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overwrite if size differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is already in the sandbox. Overwrite it with the file from this computer?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is already in the folder. Overwrite it with the file from the sandbox?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, changed %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New: %1.  There now: %2.</source>
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
    <name>boxdeck::ui::FileDelegate</name>
    <message>
        <source>New name for %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::FilePreview</name>
    <message>
        <source>Preview of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Content of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is too large for a preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previews show up to %1. Save it to this computer to open it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save “%1” to…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file “%1” was not opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is a binary file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has %1 and is not text. Save it to this computer to open it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::FileView</name>
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::FilesPane</name>
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only names that contain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find by name in this folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not a path. Type one that begins with “/”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up one folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Home folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find by name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upload files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upload a folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save to…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open terminal here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show hidden files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder “%1” can&apos;t be shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its files are kept. Looking does not wake it: resume it to see them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” has ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its files are gone. What was saved to this computer stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is changing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its files appear as soon as it runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This folder is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop files here to upload them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No name contains “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the search to see all of the folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only hidden files here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show hidden files to see them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n item(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not shown</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n with impossible names left out</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” is a link that leads nowhere: there is no file behind it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is a socket, a pipe or a device and can&apos;t be opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upload files to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upload a folder to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is no file on this computer. Save it here first, then drop it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clipboard holds no files. Copy some in a file manager, then paste them here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save “%1” to a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Save %n item(s) to a folder</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Save here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New folder (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder “%1” was not made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” was not renamed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The new name is too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A name can&apos;t be empty, “.” or “..”, or contain a slash.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” was not moved to %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete “%1” from “%2”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Delete %n items from “%1”?</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n items</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Folders are deleted with everything in them. This can&apos;t be undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This can&apos;t be undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” was not deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” was not deleted, nor were the items after it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::FindBar</name>
    <message>
        <source>Find in the terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text to find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in the scrollback</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Match upper and lower case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Aa</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find upwards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find downwards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the find bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not found</source>
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
    <message>
        <source>Transfers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 transfer running</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n transfers running</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
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
    <name>boxdeck::ui::PathBar</name>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click beside the names to type a path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::PromptBar</name>
    <message>
        <source>Terminal message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
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
    <message>
        <source>New sandbox on this computer…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
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
    <name>boxdeck::ui::TerminalPane</name>
    <message>
        <source>Terminals</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Terminal tabs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New terminal (Ctrl+Shift+T)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No terminal open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a shell to work inside the sandbox.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the terminal “%1”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ending its shell also ends what runs in it. Kept running, it is found again the next time the sandbox is opened here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the shell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep it running</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::TerminalTab</name>
    <message numerus="yes">
        <source>%n byte(s) typed here did not reach the shell.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s) typed here may not have reached the shell; look before typing them again.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The terminal has no room for so much input now. Nothing of it was sent; try a smaller part.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The link leads to “%1” and is not opened: only web and mail addresses are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attached to a shell that was running already; what it printed before %1 is not here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was printed between %1 and %2 was not received.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>It has %n lines, and the shell runs each as it arrives.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>It ends with a line end, so the shell runs it at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It runs something as another user (sudo or the like).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It holds control characters, which are left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste “%1”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Paste %n lines</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open %1 on this computer? Output in the sandbox made this link.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open link</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>A program in this terminal put %n character(s) on the clipboard.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A program in this terminal wants to put %n character(s) on the clipboard: “%1”</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Put on clipboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the terminal&apos;s output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The output was not saved to “%1”: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The output was saved to “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>boxdeck::ui::TerminalView</name>
    <message>
        <source>Terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scrollback position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open link…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save output as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear scrollback</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smaller text</source>
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
    <name>boxdeck::ui::TransfersPane</name>
    <message>
        <source>Transfers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is being copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop files on a folder of a sandbox, or save files from one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About the selected transfer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files that were not copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
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
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ends in less than 5 minutes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ends in less than a minute.</source>
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
