/**
 * Ports of protocols other than HTTP: those from 1024 on that browsers refuse (the Fetch standard's bad ports), and
 * those of databases, queues and control planes. A URL must not make us connect to them.
 */
const denied: ReadonlySet<number> = new Set([
  ...[
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  ],
  // MS SQL, Oracle, MySQL, PostgreSQL, CouchDB, Redis, Cassandra, Elasticsearch, memcached, MongoDB.
  ...[1433, 1434, 1521, 3306, 5432, 5984, 6379, 6380, 9042, 9200, 9300, 11211, 27017, 27018, 27019],
  // MQTT, ZooKeeper, Erlang, AMQP, Kafka.
  ...[1883, 2181, 4369, 5671, 5672, 9092, 25672],
  // Docker, etcd, Kubernetes and its kubelet, remote desktops.
  ...[2375, 2376, 2379, 2380, 6443, 10250, 10255, 3389, 5900, 5901],
])

/** Whether an SFTP server may use this port: 22, or a port from 1024 on that a URL may name. */
export function isAllowedSshPort(port: number): boolean {
  return port === 22 || (isAllowedPort(port) && port >= 1024)
}

/** Whether a mail server may use this port: one of the mail ports, or a port from 1024 on that a URL may name. */
export function isAllowedMailPort(port: number): boolean {
  return [25, 465, 587].includes(port) || (isAllowedPort(port) && port >= 1024)
}

/** Whether a URL may name this port: 80, 443, or one from 1024 on that is not known to use another protocol. */
export function isAllowedPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !denied.has(port))
}
