/** Ranges that must never be reached: the first and last address of each, and one in between where there is one. */
export const refusedIpv4: readonly string[] = [
  ...['0.0.0.0', '0.1.2.3', '0.255.255.255'],
  ...['10.0.0.0', '10.11.12.13', '10.255.255.255'],
  ...['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  ...['127.0.0.0', '127.0.0.1', '127.255.255.255'],
  ...['169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ...['172.16.0.0', '172.20.1.2', '172.31.255.255'],
  ...['192.0.0.0', '192.0.0.192', '192.0.0.255'],
  ...['192.0.2.0', '192.0.2.255'],
  ...['192.88.99.0', '192.88.99.255'],
  ...['192.168.0.0', '192.168.1.1', '192.168.255.255'],
  ...['198.18.0.0', '198.19.255.255'],
  ...['198.51.100.0', '198.51.100.255'],
  ...['203.0.113.0', '203.0.113.255'],
  ...['224.0.0.0', '239.255.255.255'],
  ...['240.0.0.0', '255.255.255.254', '255.255.255.255'],
  '168.63.129.16',
]

export const refusedIpv6: readonly string[] = [
  ...['::', '::1', '::2', '::7f00:1', '::127.0.0.1', '::8.8.8.8'],
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1'],
  ...['64:ff9b::7f00:1', '64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1'],
  ...['100::', '100::1', '100:0:0:1::1'],
  ...['2001::', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:10::1', '2001:20::1', '2001:1ff:ffff::1'],
  ...['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ...['2002::', '2002:7f00:1::', '2002:a00:1::1', '2002:ffff:ffff::1'],
  ...['3fff::', '3fff:fff:ffff::1', '4000::1', '5f00::1', '5f00:ffff::1'],
  ...['fc00::', 'fd00:ec2::254', 'fdff:ffff::1'],
  ...['fe80::', 'fe80::1', 'febf:ffff::1', 'fec0::1', 'feff:ffff::1'],
  ...['ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
]

/** The spellings that URL parsers read as the same IPv4 address. */
export function spellIpv4(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const parts = [a, b, c, d]
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const octal = (n: number) => `0${n.toString(8)}`
  const hex = (n: number) => `0x${n.toString(16)}`
  return [
    address,
    String(whole),
    hex(whole),
    octal(whole),
    parts.map(octal).join('.'),
    parts.map(hex).join('.'),
    `${a}.${b}.${(c << 8) | d}`,
    `${a}.${((b << 16) | (c << 8) | d) >>> 0}`,
    `${hex(a)}.${octal(b)}.${c}.${hex(d)}`,
    `${octal(a)}.${((b << 16) | (c << 8) | d) >>> 0}`,
    parts.map((n) => `000${octal(n)}`).join('.'),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．').replaceAll('1', '１'),
    address.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit))),
    address.replaceAll('.', '%2e'),
    `${address}.`,
    `user:pass@${address}`,
    `example.com@${address}`,
    `example.com%40x@${address}`,
  ]
}

/** The spellings of the same IPv6 address in a URL. */
export function spellIpv6(address: string): readonly string[] {
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  return [...new Set([address, groups, address.toUpperCase(), expand(groups)])].flatMap((text) => [
    `[${text}]`,
    `a:b@[${text}]`,
  ])
}

function expand(compressed: string): string {
  const [head = '', tail = ''] = compressed.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const middle = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...middle, ...right].map((group) => group.padStart(4, '0')).join(':')
}

/** Complete URLs that trick parsers, suffix rules or people. */
export const trickUrls: readonly string[] = [
  'http://localhost/',
  'http://LOCALHOST/',
  'http://localhost./',
  'http://localhost../',
  'http://a.localhost/',
  'http://a.localhost./',
  'http://ｌocalhost/',
  'http://loc%61lhost/',
  'http://localhost.localdomain/',
  'http://printer.local/',
  'http://printer.LOCAL./',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://metadata.google.internal./',
  'http://metadata.google。internal/',
  'http://metadata/',
  'http://redis:8080/',
  'http://intranet/',
  'http://nas.lan/',
  'http://1.0.0.127.in-addr.arpa/',
  'http://example.com./',
  'http://a..example.com/',
  'http://.example.com/',
  'http://h:80\\@127.2.2.2/',
  'http://example.com:80\\@127.2.2.2/',
  'http://127.0.0.1\\@example.com/',
  'http:\\\\127.0.0.1\\',
  'http://127.0.0.1#@example.com/',
  'http://127.0.0.1?@example.com/',
  'http://example.com@127.0.0.1#x',
  'http://127.0.0.1\t/',
  'http://127.\n0.0.1/',
  'ht\ttp://127.0.0.1/',
  'http://exam\tple.com/',
  '\u0000http://127.0.0.1/',
  'http:127.0.0.1/',
  'http:/127.0.0.1/',
  'http:////127.0.0.1/',
  'HTTP://127.0.0.1/',
  'hTtPs://127.0.0.1/',
  'http://127.0.0.1:80/',
  'http://127.0.0.1:65535/',
  'http://127.0.0.1:65536/',
  'http://127.0.0.1%00.example.com/',
  'http://127.0.0.1%2f.example.com/',
  'http://[::1%25lo]/',
  'http://[::1]:80/',
  'http://[::ffff:7f00:0001]/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]/',
  'http://256.256.256.256/',
  'http://1.2.3.4.5/',
  'http://0/',
  'http://0x/',
  'http:///',
  'http://',
  '',
  'example.com/file.jpg',
  '//example.com/file.jpg',
  'file:///etc/passwd',
  'FILE:///etc/passwd',
  'ftp://example.com/x',
  'gopher://example.com/x',
  'dict://example.com:11211/',
  'data:text/plain,hello',
  'jar:http://example.com!/x',
  'javascript:alert(1)',
  'blob:http://example.com/x',
  'ws://example.com/',
  'unix:/run/docker.sock',
  'http://example.com:22/',
  'http://example.com:25/',
  'http://example.com:0/',
  'http://example.com:81/',
  'http://example.com:1023/',
  'http://example.com:2375/',
  'http://example.com:5432/',
  'http://example.com:6379/',
  'http://example.com:11211/',
  'https://example.com:6443/',
]
