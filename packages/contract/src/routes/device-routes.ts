import { deviceLoginBody, deviceTokenBody } from '../bodies/device-bodies.ts'
import { DeviceLoginView, DeviceTokenView } from '../schemas/device-view.ts'
import { errorsFor, type Route } from './route.ts'

const open = { tags: ['account'], scope: 'public', method: 'POST' } as const

/** Sign-in for programs without a browser, in the style of RFC 8628. Users approve it in the web app, under /auth. */
export const deviceRoutes = {
  startDeviceLogin: {
    ...open,
    path: '/v1/device/authorize',
    operationId: 'startDeviceLogin',
    summary: 'Begin a sign-in on a device',
    description:
      'Signs in a person in a program without a browser, modeled on RFC 8628 with JSON bodies. Show `user_code` and `verification_uri`, then poll `/v1/device/token`. Needs a service with accounts (`device_login_off` otherwise).',
    body: deviceLoginBody,
    responses: {
      200: { description: 'The codes; valid for 10 minutes.', schema: DeviceLoginView },
      ...errorsFor(open),
    },
  },
  pollDeviceLogin: {
    ...open,
    path: '/v1/device/token',
    operationId: 'pollDeviceLogin',
    summary: 'Get the key of a sign-in',
    description:
      'Poll every `interval` seconds. `authorization_pending`: continue. `slow_down`: add 5 seconds to the interval and continue. `access_denied` and `expired_token`: stop. After approval, the response contains a new API key exactly once: if it is lost, revoke the key and sign in again.',
    body: deviceTokenBody,
    responses: { 200: { description: 'The key.', schema: DeviceTokenView }, ...errorsFor(open) },
  },
} as const satisfies Record<string, Route>
