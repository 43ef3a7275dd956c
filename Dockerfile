# Every image of Lathe. `npm run images` builds them; by hand, after `npm ci`, `bash scripts/setup.sh node` and `bash scripts/setup.sh web`:
#
#   docker build --target lathe -t lathe .
#
#   lathe                    api, scheduler and the operator's commands
#   lathe-worker             every engine
#   lathe-worker-media       images, audio and video
#   lathe-worker-document    office documents, PDF and OCR
#   lathe-worker-browser     web pages, books and mail
#
# Node and all libraries come from node_modules, which the lock file determines: nothing is fetched here but Debian packages.
ARG BASE=debian:trixie-slim

FROM ${BASE} AS debian

# What an engine root is built from. Sources of ours are not among it, so that a root is built again only when it must be.
FROM debian AS engine-parts
COPY --from=debian / /debian/
WORKDIR /checkout
COPY node_modules/node/ node_modules/node/
COPY node_modules/@img/ node_modules/@img/
COPY node_modules/@pdf-lib/ node_modules/@pdf-lib/
COPY node_modules/detect-libc/ node_modules/detect-libc/
COPY node_modules/hyparquet/ node_modules/hyparquet/
COPY node_modules/hyparquet-writer/ node_modules/hyparquet-writer/
COPY node_modules/pako/ node_modules/pako/
COPY node_modules/pdf-lib/ node_modules/pdf-lib/
COPY node_modules/semver/ node_modules/semver/
COPY node_modules/sharp/ node_modules/sharp/
COPY scripts/engine-root.sh scripts/
COPY scripts/engine-root/ scripts/engine-root/
RUN mkdir node_modules/.bin && ln -s ../node/bin/node node_modules/.bin/node
# The time of all files.
ARG SOURCE_DATE_EPOCH=1767225600
ENV LATHE_DEBIAN_TREE=/debian LATHE_ENGINE_ROOTS=/engines SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH}

FROM engine-parts AS engines-media
RUN bash scripts/engine-root.sh --families media

FROM engine-parts AS engines-document
RUN bash scripts/engine-root.sh --families document

FROM engine-parts AS engines-browser
RUN bash scripts/engine-root.sh --families browser

FROM engine-parts AS engines-all
RUN bash scripts/engine-root.sh --families media,document,browser

# What each app imports, and nothing else.
FROM debian AS code
WORKDIR /checkout
COPY node_modules/ node_modules/
COPY LICENSE package.json ./
COPY scripts/admin.ts scripts/dev-env.ts scripts/
COPY scripts/admin/ scripts/admin/
COPY scripts/engine-root/list-modules.mjs scripts/engine-root/
COPY scripts/images/assemble.ts scripts/images/trace-imports.ts scripts/images/
COPY packages/ packages/
COPY apps/ apps/
RUN node_modules/node/bin/node scripts/images/assemble.ts . /out/lathe apps/api/src/main.ts apps/scheduler/src/main.ts scripts/admin.ts
RUN node_modules/node/bin/node scripts/images/assemble.ts . /out/worker apps/worker/src/main.ts

# What `lathe init` hands out; the filter for workers comes from Debian's own default.
FROM debian AS deploy
WORKDIR /checkout
RUN apt-get -qq update && apt-get -qq download golang-github-containers-common && dpkg-deb --extract ./*.deb /common
COPY node_modules/node/bin/node /usr/local/bin/node
COPY scripts/images/seccomp.ts scripts/images/worker-profile.ts ./
COPY deploy/ /out/
RUN node seccomp.ts /common/usr/share/containers/seccomp.json /out/seccomp-worker.json

# The updates that the base image lacks, an init that ends what sandboxes leave behind, and a user without rights.
FROM debian AS runtime
RUN apt-get -qq -o APT::Update::Error-Mode=any update \
  && DEBIAN_FRONTEND=noninteractive apt-get -qq -y dist-upgrade >/dev/null \
  && apt-get -qq -y install --no-install-recommends tini >/dev/null \
  && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* /usr/share/doc /usr/share/man /usr/share/locale \
  && echo 'lathe:x:1000:1000::/nonexistent:/usr/sbin/nologin' >>/etc/passwd \
  && echo 'lathe:x:1000:' >>/etc/group \
  && install -d -o 1000 -g 1000 /var/lib/lathe /var/lib/lathe/files
COPY scripts/images/lathe scripts/images/health.mjs /usr/local/bin/
ENV HTTP_HOST=0.0.0.0 METRICS_HOST=0.0.0.0 METRICS_PORT=9464 STORAGE_KIND=disk STORAGE_DIR=/var/lib/lathe/files
EXPOSE 9464
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/bin/tini", "--", "/usr/local/bin/lathe"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/usr/local/bin/health.mjs"]

# For `lathe backup` and `lathe restore`; the package itself would bring Perl along.
FROM debian AS postgres-client
WORKDIR /client
RUN apt-get -qq update && apt-get -qq download postgresql-client-17 && dpkg-deb --extract ./*.deb . \
  && cd usr/lib/postgresql/17/bin && install -D -t /out/usr/lib/postgresql/17/bin pg_dump pg_restore psql

FROM runtime AS lathe
RUN apt-get -qq update && apt-get -qq -y install --no-install-recommends libpq5 libreadline8t64 >/dev/null \
  && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* /usr/share/doc /usr/share/man /usr/share/locale
COPY --from=postgres-client /out/ /
COPY node_modules/node/bin/node /usr/local/bin/node
COPY --from=deploy /out/ /opt/lathe/deploy/
COPY --from=code /out/lathe/ /opt/lathe/
COPY apps/web/dist/ /opt/lathe/apps/web/dist/
COPY apps/guide/dist/ /opt/lathe/apps/guide/dist/
# Where `lathe init` finds the images of this release.
ARG REGISTRY=localhost
ENV LATHE_REGISTRY=${REGISTRY}
EXPOSE 8080
USER 1000:1000
CMD ["api"]

# A worker runs the Node of its engine root: it is the same one, and is there only once. Scratch space is a tmpfs, which root mounts
# with the mode that the folder has here, whatever mode it is told.
FROM runtime AS worker
RUN apt-get -qq update && apt-get -qq -y install --no-install-recommends bubblewrap >/dev/null \
  && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* /usr/share/doc /usr/share/man \
  && ln -s /var/lib/lathe/engine-roots/current/opt/lathe/bin/node /usr/local/bin/node \
  && install -d -m 1777 /scratch
ENV LATHE_SCRATCH_DIR=/scratch ENGINE_HOST=own
CMD ["worker"]

FROM worker AS lathe-worker-media
COPY --from=engines-media /engines/ /var/lib/lathe/engine-roots/
COPY --from=code /out/worker/ /opt/lathe/
USER 1000:1000

FROM worker AS lathe-worker-document
COPY --from=engines-document /engines/ /var/lib/lathe/engine-roots/
COPY --from=code /out/worker/ /opt/lathe/
USER 1000:1000

FROM worker AS lathe-worker-browser
COPY --from=engines-browser /engines/ /var/lib/lathe/engine-roots/
COPY --from=code /out/worker/ /opt/lathe/
USER 1000:1000

FROM worker AS lathe-worker
COPY --from=engines-all /engines/ /var/lib/lathe/engine-roots/
COPY --from=code /out/worker/ /opt/lathe/
USER 1000:1000
