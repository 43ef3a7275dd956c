import type { Algorithms, ServerHostKeyAlgorithm } from 'ssh2'

/** The allowed algorithms: none with SHA-1, CBC, RC4 or a group below 2048 bits. */
export const algorithms: Required<Pick<Algorithms, 'cipher' | 'compress' | 'hmac' | 'kex'>> = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group18-sha512',
    'diffie-hellman-group-exchange-sha256',
    'diffie-hellman-group14-sha256',
  ],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'chacha20-poly1305@openssh.com',
    'aes128-ctr',
    'aes192-ctr',
    'aes256-ctr',
  ],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
}

/** The signature algorithms with which a server may prove that it has its host key, by key type. */
const proofs: Readonly<Record<string, readonly ServerHostKeyAlgorithm[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
}

/** A server with several types of keys presents the given one, otherwise the first of ours that it has. */
export function hostKeyProofs(keyType?: string): ServerHostKeyAlgorithm[] {
  return [...(proofs[keyType ?? ''] ?? Object.values(proofs).flat())]
}
