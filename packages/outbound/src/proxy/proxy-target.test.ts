import { isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { parseAbsolute, parseAuthority, placeName, placeOf } from './proxy-target.ts'

const named = (target: ReturnType<typeof parseAuthority>) => (isFailure(target) ? target.code : placeName(target))

describe('where a tunnel may go', () => {
  it.each([
    ['files.example.com:443', 'files.example.com:443'],
    ['FILES.example.com:8443', 'files.example.com:8443'],
    ['[2606:2800::1]:443', '[2606:2800::1]:443'],
    ['2130706433:80', '127.0.0.1:80'],
  ])('%s is %s', (given, place) => {
    expect(named(parseAuthority(given))).toBe(place)
  })

  it.each([
    '',
    'files.example.com',
    'files.example.com:',
    'files.example.com:0',
    'files.example.com:22',
    'files.example.com:6379',
    'files.example.com:99999',
    'http://files.example.com:443',
    'a@files.example.com:443',
    'files.example.com:443/x',
    'files.example.com:443?x',
    'files.example.com:443 x:80',
    '[fe80::1%25eth0]:80',
    '%31.example.com:80',
  ])('%j is refused', (given) => {
    expect(named(parseAuthority(given))).toBe('url_forbidden')
  })
})

describe('where a plain request may go', () => {
  it('is an http address', () => {
    expect(named(parseAbsolute('http://files.example.com/a?b'))).toBe('files.example.com:80')
  })

  it.each([
    'https://files.example.com/',
    'ftp://files.example.com/',
    'file:///etc/passwd',
    'ws://files.example.com/',
    'chrome://version/',
    'view-source:http://files.example.com/',
    '/',
    '*',
    'http://files.example.com:25/',
  ])('%s is refused', (given) => {
    expect(named(parseAbsolute(given))).toBe('url_forbidden')
  })
})

describe('the host and port of a URL', () => {
  it('has a port, whether given or not', () => {
    expect(placeOf('https://files.example.com/x')).toBe('files.example.com:443')
    expect(placeOf('http://[2606:2800::1]:8080/')).toBe('[2606:2800::1]:8080')
    expect(placeOf('about:blank')).toBeUndefined()
  })
})
