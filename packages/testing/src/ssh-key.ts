import ssh2 from 'ssh2'

export interface SshKeyLock {
  readonly passphrase: string
  readonly cipher: string
  readonly rounds: number
}

/** Makes an Ed25519 key pair. ssh2 cannot read about 1 of the 200 keys it makes itself: such keys are made again. */
export function makeSshKey(lock?: SshKeyLock): { readonly private: string; readonly public: string } {
  for (;;) {
    const pair = lock ? ssh2.utils.generateKeyPairSync('ed25519', lock) : ssh2.utils.generateKeyPairSync('ed25519')
    if (!(ssh2.utils.parseKey(pair.private, lock?.passphrase) instanceof Error)) return pair
  }
}
