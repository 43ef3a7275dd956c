# A one-node Ceph with its S3 gateway. Objects live in memory and every start is a fresh store:
# what is kept in it is worth no more than the four hours files live anyway.

s3_port=${LATHE_S3_PORT:-7489}
mon_port=${LATHE_MON_PORT:-6799}
# Several files of 2 GB at once, their parts and their copies; memory is taken as it fills, not ahead.
s3_bytes=${LATHE_S3_BYTES:-17179869184}
s3_bucket=lathe

s3_address() { echo "http://127.0.0.1:$s3_port"; }

s3_running() {
  alive "$state/s3/run/mon.a.pid" ceph-mon && alive "$state/s3/run/osd.0.pid" ceph-osd \
    && alive "$state/s3/run/client.rgw.pid" radosgw
}

s3_start() {
  command -v radosgw >/dev/null || die "Ceph is not installed; run: npm run setup"
  # What a half-ended set left behind goes first; a monitor still stopping would answer in the new one's place.
  s3_stop
  refuse_taken_port "$s3_port" LATHE_S3_PORT
  refuse_taken_port "$mon_port" LATHE_MON_PORT
  local home=$state/s3 log=$state/s3.log
  local conf=(-c "$home/ceph.conf") fsid osd
  fsid=$(cat /proc/sys/kernel/random/uuid)
  osd=$(cat /proc/sys/kernel/random/uuid)
  as_service rm -rf "$home"
  as_service mkdir -p "$home"/{mon,osd,rgw,run}
  s3_settings "$home" "$fsid" | as_service tee "$home/ceph.conf" >/dev/null
  launch "$log" monmaptool --create --addv a "[v1:127.0.0.1:$mon_port]" --fsid "$fsid" "$home/monmap"
  launch "$log" ceph-mon "${conf[@]}" -i a --mkfs --monmap "$home/monmap"
  launch "$log" ceph-mon "${conf[@]}" -i a
  # For its first moments the monitor refuses commands with EPERM, on a busy machine even after it has answered one.
  # With an id of its own, an object daemon is registered once however often it is asked for.
  wait_until 60 "the monitor (see $log)" s3_register_osd "$home" "$log" "$osd"
  launch "$log" ceph-osd "${conf[@]}" -i 0 --mkfs --osd-uuid "$osd"
  # On a busy machine the daemon may speak before it has learned the cluster's id, and gives up at once.
  wait_until 60 "the object daemon (see $log)" s3_start_osd "$home" "$log"
  launch "$log" timeout 60 radosgw "${conf[@]}" -n client.rgw
  launch "$log" timeout 60 radosgw-admin "${conf[@]}" user create --uid=test --display-name=test \
    --access-key=test --secret=testtest
  wait_until 60 "the S3 gateway to answer" answers "$s3_port"
  wait_until 30 "the bucket $s3_bucket" s3_create_bucket
}

s3_register_osd() { as_service timeout 20 ceph -c "$1/ceph.conf" osd create "$3" 0 </dev/null >>"$2" 2>&1 9>&-; }

s3_start_osd() { as_service ceph-osd -c "$1/ceph.conf" -i 0 </dev/null >>"$2" 2>&1 9>&-; }

# No authentication inside: everything listens on loopback and holds test data.
# Freed space returns within seconds, or a run of large files would fill the store with deleted ones.
s3_settings() {
  cat <<CONF
[global]
fsid = $2
mon host = v1:127.0.0.1:$mon_port
mon initial members = a
monmap = $1/monmap
public network = 127.0.0.0/8
auth cluster required = none
auth service required = none
auth client required = none
mon allow pool size one = true
mon warn on pool no redundancy = false
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd objectstore = memstore
memstore device bytes = $s3_bytes
mon data = $1/mon
osd data = $1/osd
pid file = $1/run/\$name.pid
admin socket = $1/run/\$name.asok
log file = $1/\$name.log
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:$s3_port
rgw data = $1/rgw
rgw gc obj min wait = 5
rgw gc processor period = 10
rgw gc processor max time = 10
CONF
}

# An empty body's SHA-256 is given by hand: the gateway wants it signed, and curl of Debian 12 does not add it.
s3_create_bucket() {
  curl --silent --fail --max-time 10 --aws-sigv4 aws:amz:us-east-1:s3 --user test:testtest --request PUT \
    --header 'x-amz-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' \
    "$(s3_address)/$s3_bucket"
}

s3_stop() {
  end "$state/s3/run/client.rgw.pid" radosgw
  end "$state/s3/run/osd.0.pid" ceph-osd
  end "$state/s3/run/mon.a.pid" ceph-mon
}
