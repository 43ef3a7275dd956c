const common = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const

/**
 * What the pages of the web app may do: run, show and request only what comes from this service. Scripts and styles are
 * never inline, and text can never become code (Trusted Types).
 */
export const webHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    // Chosen files are shown before they are sent.
    "img-src 'self' blob:",
    'media-src blob:',
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The only policy: it creates the URL of the service worker.
    'trusted-types lathe-worker',
  ].join('; '),
  ...common,
} as const

/**
 * What the pages of the guide may do: the same, except that the search runs as WebAssembly in a worker and sets the
 * HTML of its results. The icons in style sheets are data URLs.
 */
export const guideHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  ...common,
} as const
