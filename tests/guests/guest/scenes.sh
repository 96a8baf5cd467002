# shellcheck shell=dash
# Run in the guest by init: recordings, and what else was seen meanwhile, in /out.
# SPDX-License-Identifier: GPL-3.0-or-later
. /guest/settings # ROUNDS, KILLS, SEED

say() { echo "guests: $*" >/dev/console; }
attached() { for kind in prog link; do bpftool -j $kind show; echo; done; }

uname -r >/out/release
attached >/out/attached.before

# ---- text that toggles, while the machine's memory is read ----

say "recording"
. /guest/toggles.sh
prepare
pentimento-cli record -e cpu-clock -F 997 -m 8M -o /out/toggles -- sh /guest/toggles.sh run >/out/toggles.out 2>/out/toggles.err
echo $? >/out/toggles.status
tidy
cat /out/lists /out/bytes >/out/snap.txt
rm /out/lists /out/bytes
attached >/out/attached.after
cat /out/toggles.err

# ---- a stream, and a directory without kcore, while another recorder writes a directory ----

say "streaming"
pentimento-cli record --no-witness -e cpu-clock -F 97 -m 4M -o /out/beside -- sh /guest/toggles.sh beside 2>/out/beside.err
cat /out/stream.err /out/plain.err

# ---- each part is killed ----

. /guest/kills.sh
