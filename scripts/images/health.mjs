// The health check of the images: api, scheduler and worker each answer on one of two ports, and a container has one of them.
const { HTTP_PORT = '8080', METRICS_PORT = '9464', TLS_CERT_FILE } = process.env

// A worker whose scratch disk is full is not ready; the api is asked whether it lives, not whether its database does.
const answers = await Promise.all([
  ask(`http://127.0.0.1:${METRICS_PORT}/readyz`),
  ask(`${TLS_CERT_FILE ? 'https' : 'http'}://127.0.0.1:${HTTP_PORT}/healthz`),
])
process.exit(answers.includes(true) ? 0 : 1)

async function ask(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined)
  return response?.ok === true
}
