import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { makeOwnFolder } from './account.ts'
import { dockerWay } from './docker.ts'
import type { Host } from './host.ts'
import { installBlocker } from './packages.ts'
import { freePorts, launch, run, waitUntil } from './process.ts'
import { findProgram } from './programs.ts'
import type { Addresses, Service } from './ways.ts'

const variable = 'SHARD_TEST_MYSQL_URL'
const toAddresses = (port: number): Addresses => ({ [variable]: `mysql://root@127.0.0.1:${port}/test` })

/** MariaDB: an installed one, the one of the distribution's packages, or Docker's. A MySQL 8 may be given. */
export function mariadb(host: Host): Service {
  const packages = ['mariadb-server-core', 'mariadb-client']
  return {
    name: 'mysql',
    title: 'MariaDB',
    variable,
    how: `install ${packages.join(' and ')}, or start Docker, or set ${variable}`,
    given: (env) => ({ [variable]: env[variable] ?? '' }),
    probe,
    ways: [
      {
        name: 'local',
        blocker: () => (findProgram('mariadbd') ? null : 'it is not installed'),
        start: () => start(host),
      },
      {
        name: 'apt',
        blocker: () => installBlocker(host.env),
        start: async () => {
          await host.installer.install(host, packages)
          return await start(host)
        },
      },
      dockerWay(host, { service: 'mariadb', variable: 'SHARD_MARIADB_PORT', toAddresses, probe }),
    ],
  }
}

async function start(host: Host): Promise<Addresses> {
  const own = makeOwnFolder(host.folder, `mariadb-${Date.now()}`, host.account)
  const data = `--datadir=${join(own, 'data')}`
  const setup = ['--no-defaults', data, '--auth-root-authentication-method=normal', '--skip-test-db']
  await run(host, {
    group: 'mariadb',
    program: findProgram('mariadb-install-db') ?? 'mariadb-install-db',
    args: setup,
  })
  const [port = 0] = await freePorts(1)
  const args = [
    ...[
      '--no-defaults',
      data,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      `--socket=${join(own, 'socket')}`,
    ],
    ...[`--pid-file=${join(own, 'pid')}`, `--init-file=${accessFile(host)}`, '--skip-name-resolve'],
    ...['--max-connections=300', '--innodb-buffer-pool-size=128M', '--character-set-server=utf8mb4'],
    ...['--innodb-flush-log-at-trx-commit=0', '--skip-innodb-doublewrite', '--innodb-fast-shutdown=2'],
  ]
  const server = launch(host, { group: 'mariadb', program: findProgram('mariadbd') ?? 'mariadbd', args })
  await waitUntil(() => probe(toAddresses(port)), 60_000, server)
  return toAddresses(port)
}

/** Statements that the server runs before it takes connections. */
function accessFile({ folder }: Host): string {
  const file = join(folder, 'mariadb-access.sql')
  const statements = [
    "create user if not exists root@'127.0.0.1' identified by ''",
    "grant all on *.* to root@'127.0.0.1' with grant option",
    'create database if not exists test',
  ]
  writeFileSync(file, statements.map((statement) => `${statement};\n`).join(''))
  return file
}

async function probe(addresses: Addresses): Promise<void> {
  const connection = await createConnection({ uri: addresses[variable] ?? '', connectTimeout: 3_000 })
  await connection.query('select 1')
  await connection.end()
}
