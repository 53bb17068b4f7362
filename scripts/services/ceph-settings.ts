/** Where a node lives. */
export interface CephPlace {
  readonly folder: string
  readonly cluster: string
  readonly port: number
  readonly monitorPort: number
}

/**
 * The `ceph.conf` of one node on loopback: no authentication inside, data in memory, one copy, few placement groups.
 * Without authentication the monitors' mode must be `crc`, or clients ask for a secret they do not have.
 */
export function cephSettings({ folder, cluster, port, monitorPort }: CephPlace): string {
  return `[global]
fsid = ${cluster}
mon host = [v2:127.0.0.1:${monitorPort}/0]
mon initial members = a
public network = 127.0.0.0/8
cluster network = 127.0.0.0/8
public addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
ms mon service mode = crc
ms mon cluster mode = crc
run dir = ${folder}
admin socket = ${folder}/$name.$pid.asok
pid file = ${folder}/$name.pid
log file = ${folder}/$name.log
mon data = ${folder}/mon
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 2147483648
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon allow pool delete = true
mon warn on pool no redundancy = false
mon data avail crit = 1
mon data avail warn = 1
mon pg warn min per osd = 0
mon max pg per osd = 1000
paxos propose interval = 0.02
paxos min wait = 0.01
setuser match path =

[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw dns name = localhost
rgw enable usage log = false
rgw enable ops log = false
rgw enable gc threads = false
rgw enable lc threads = false
rgw enable quota threads = false
rgw run sync thread = false
rgw gc max objs = 1
rgw lc max objs = 1
rgw override bucket index max shards = 1
rgw data log num shards = 1
rgw usage max shards = 1
rgw md log max shards = 1
`
}
