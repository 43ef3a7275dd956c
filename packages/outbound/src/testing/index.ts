export { refusedIpv4, refusedIpv6, spellIpv4, spellIpv6, trickUrls } from './address-spellings.ts'
export { createFakeNet, type FakeNet } from './fake-net.ts'
