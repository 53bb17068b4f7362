/** Where a PgBouncer lives, and the server behind it. */
export interface PgbouncerPlace {
  readonly folder: string
  readonly port: number
  readonly server: URL
}

/**
 * The `pgbouncer.ini` of one on loopback that hands out any database of the server, a transaction at a time.
 * https://www.pgbouncer.org/config.html
 */
export function pgbouncerSettings({ folder, port, server }: PgbouncerPlace): string {
  return `[databases]
* = host=${server.hostname} port=${server.port || 5432}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users.txt
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
server_idle_timeout = 30
server_lifetime = 600
log_connections = 0
log_disconnections = 0
`
}

/** Its list of users: the one of the server's address, with the password that the server wants. */
export function pgbouncerUsers({ username, password }: URL): string {
  const quoted = (text: string) => `"${decodeURIComponent(text).replaceAll('"', '""')}"`
  return `${quoted(username || 'postgres')} ${quoted(password)}\n`
}
