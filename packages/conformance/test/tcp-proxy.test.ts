import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TcpProxy, tcpProxy } from '../src/tcp-proxy.ts'
import { until } from './faulty-servers.ts'

let server: Server
let proxy: TcpProxy
/** What the server has heard. */
let heard = ''

beforeEach(async () => {
  heard = ''
  server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (piece) => {
      heard += piece
      socket.write(`<${piece}>`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy = await tcpProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
})

afterEach(async () => {
  await proxy.close()
  await new Promise((resolve) => server.close(resolve))
})

/** A client, and what it has heard. */
async function client(): Promise<{ socket: Socket; got(): string; fate(): string | null }> {
  let got = ''
  let fate: string | null = null
  const socket = connect(proxy.port, '127.0.0.1')
  socket.on('data', (piece) => {
    got += piece
  })
  socket.on('error', (error) => {
    fate = (error as NodeJS.ErrnoException).code ?? 'error'
  })
  socket.on('close', () => {
    fate ??= 'closed'
  })
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()))
  return { socket, got: () => got, fate: () => fate }
}

test('everything passes, in order, also when it takes its time', async () => {
  const { socket, got } = await client()
  proxy.delay(20)
  const start = performance.now()
  socket.write('a')
  await until(() => heard === 'a', 'a')
  proxy.delay(0)
  socket.write('b')
  await until(() => got().includes('<a>') && got().includes('b'), 'both')
  expect(performance.now() - start).toBeGreaterThanOrEqual(19)
  expect(heard).toBe('ab')
  expect(got()).toBe('<a><b>')
  expect(proxy.connections).toBe(1)
})

test('more than fits into the buffers passes whole', async () => {
  const { socket, got } = await client()
  const text = 'x'.repeat(5_000_000)
  socket.write(text)
  await until(() => heard.length === text.length, 'all of it')
  await until(() => got().replace(/[<>]/g, '').length === text.length, 'all of it back')
})

test('while it stalls nothing passes and nothing is lost', async () => {
  const { socket, got } = await client()
  proxy.stall()
  socket.write('a')
  const late = await client()
  late.socket.write('b')
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect([heard, got(), late.got()]).toEqual(['', '', ''])
  await proxy.pass()
  await until(() => got() === '<a>' && late.got() === '<b>', 'both')
})

test('replies that are swallowed had their effect', async () => {
  const { socket, got, fate } = await client()
  proxy.swallow()
  socket.write('a')
  await until(() => heard === 'a', 'a')
  await proxy.pass()
  socket.write('b')
  await until(() => got() === '<b>', 'b')
  proxy.cut()
  await until(() => fate() === 'closed', 'the end')
  expect(proxy.connections).toBe(0)
})

test('a connection can be reset, refused, and hung up on', async () => {
  const first = await client()
  first.socket.write('a')
  await until(() => first.got() === '<a>', 'a')
  proxy.cut('reset')
  await until(() => first.fate() === 'ECONNRESET', 'the reset')

  const kept = await client()
  await proxy.refuse()
  expect((await client()).fate()).toBe('ECONNREFUSED')
  kept.socket.write('b')
  await until(() => kept.got() === '<b>', 'b')
  await proxy.pass()

  proxy.hangUp({ times: 1 })
  const hungUp = await client()
  await until(() => hungUp.fate() === 'closed', 'the end')
  proxy.hangUp({ after: 1, times: 1, how: 'reset' })
  const second = await client()
  second.socket.write('c')
  await until(() => second.got() === '<c>', 'c')
  second.socket.write('d')
  await until(() => second.fate() !== null, 'the end')
  expect(second.got()).toBe('<c>')
  const free = await client()
  free.socket.write('e')
  await until(() => free.got() === '<e>', 'e')
})
