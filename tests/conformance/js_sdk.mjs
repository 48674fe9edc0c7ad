// SPDX-License-Identifier: GPL-3.0-or-later
// Run by js_sdk.py, with the SDK installed beside it and the E2B_ variables set to a real boxdeck-host.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandExitError, Sandbox } from 'e2b'

async function withSandbox(options, body) {
  const sandbox = await Sandbox.create({ timeoutMs: 120_000, ...options })
  try {
    await body(sandbox)
  } finally {
    await sandbox.kill()
  }
}

test('create, list and kill', async () => {
  const made = []
  for (let n = 0; n < 3; n++) made.push(await Sandbox.create({ metadata: { purpose: 'js & more', n: String(n) } }))
  const pages = Sandbox.list({ query: { metadata: { purpose: 'js & more' }, state: ['running', 'paused'] }, limit: 2 })
  const seen = []
  while (pages.hasNext) seen.push(...(await pages.nextItems()))
  assert.deepEqual(seen.map((one) => one.sandboxId).sort(), made.map((one) => one.sandboxId).sort())
  await made[0].setTimeout(600_000)
  const info = await made[0].getInfo()
  assert.equal(info.metadata.n, '0')
  assert.ok(info.endAt - Date.now() > 500_000)
  assert.equal(await made[0].isRunning(), true)
  for (const one of made) assert.equal(await one.kill(), true)
  assert.equal(await made[0].kill(), false)
  assert.equal(await made[0].isRunning(), false)
})

test('commands', () =>
  withSandbox({ envs: { FROM_CREATE: 'yes' } }, async (sandbox) => {
    const done = await sandbox.commands.run('echo out; echo err >&2; echo $FROM_CREATE; pwd')
    assert.deepEqual([done.exitCode, done.stdout, done.stderr], [0, 'out\nyes\n/home/user\n', 'err\n'])
    await assert.rejects(sandbox.commands.run('exit 3'), (error) => error instanceof CommandExitError && error.exitCode === 3)
    const cat = await sandbox.commands.run('cat', { background: true, stdin: true })
    await sandbox.commands.sendStdin(cat.pid, 'hello\n')
    await sandbox.commands.closeStdin(cat.pid)
    assert.equal((await cat.wait()).stdout, 'hello\n')
  }))

test('files', () =>
  withSandbox({}, async (sandbox) => {
    const odd = "odd 'name' \u00fc %41 +&=.txt"
    await sandbox.files.write(`/home/user/dir/${odd}`, 'text\n')
    assert.equal(await sandbox.files.read(`dir/${odd}`), 'text\n')
    const data = new Uint8Array(3_000_000).map((_, at) => (at * 7919) % 256)
    await sandbox.files.write('binary', data.buffer)
    assert.deepEqual(await sandbox.files.read('binary', { format: 'bytes' }), data)
    assert.deepEqual((await sandbox.files.list('dir')).map((one) => one.name), [odd])
    await sandbox.files.rename('binary', 'new/moved')
    assert.equal(await sandbox.files.exists('binary'), false)
    await sandbox.files.remove('new')
    const events = []
    const watch = await sandbox.files.watchDir('dir', (event) => events.push(event.name))
    await sandbox.files.write('dir/watched', 'x')
    for (let turn = 0; turn < 100 && !events.includes('watched'); turn++) await new Promise((go) => setTimeout(go, 50))
    assert.ok(events.includes('watched'))
    await watch.stop()
  }))

test('terminal', () =>
  withSandbox({}, async (sandbox) => {
    let output = ''
    const terminal = await sandbox.pty.create({
      rows: 43, cols: 132, timeoutMs: 60_000, onData: (data) => { output += new TextDecoder().decode(data) },
    })
    const until = async (text) => {
      for (let turn = 0; turn < 200 && !output.includes(text); turn++) await new Promise((go) => setTimeout(go, 50))
      assert.ok(output.includes(text), output)
    }
    await sandbox.pty.sendInput(terminal.pid, new TextEncoder().encode('stty size\n'))
    await until('43 132')
    await sandbox.pty.resize(terminal.pid, { rows: 24, cols: 80 })
    await sandbox.pty.sendInput(terminal.pid, new TextEncoder().encode('stty size\n'))
    await until('24 80')
    assert.equal(await sandbox.pty.kill(terminal.pid), true)
  }))

test('pause and connect', () =>
  withSandbox({}, async (sandbox) => {
    await sandbox.files.write('kept', 'kept')
    const sleeper = await sandbox.commands.run('sleep 300', { background: true })
    sleeper.wait().catch(() => {}) // the pause breaks this stream on purpose
    assert.equal(await sandbox.pause(), true)
    assert.equal(await sandbox.pause(), false)
    const again = await Sandbox.connect(sandbox.sandboxId, { timeoutMs: 90_000 })
    assert.equal(await again.files.read('kept'), 'kept')
    assert.ok((await again.commands.list()).some((one) => one.pid === sleeper.pid))
  }))
