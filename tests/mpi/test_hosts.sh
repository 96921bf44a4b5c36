#!/bin/bash
# SPDX-License-Identifier: MIT
#
# luft-mpi on three hosts: network namespaces with names and addresses of their own, in which mpirun starts the ranks.
# One host is cut off in the middle of the work. Needs root. Arguments: the paths of luft and luft-mpi.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
mpi=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

tag=luft$$ # in all names, so that two of these tests can run at once
bridge=${tag}b

remove_hosts() {
    for i in 1 2 3; do
        ip netns pids "$tag-$i" 2>/dev/null | xargs -r kill -KILL 2>/dev/null
        ip netns del "$tag-$i" 2>/dev/null
    done
    ip link del "$bridge" 2>/dev/null
}

make_hosts() {
    ip link add "$bridge" type bridge && ip link set "$bridge" up || return 1
    for i in 1 2 3; do
        ip netns add "$tag-$i" && ip link add "${tag}v$i" type veth peer name eth0 netns "$tag-$i" &&
            ip link set "${tag}v$i" master "$bridge" up && ip -n "$tag-$i" link set lo up &&
            ip -n "$tag-$i" addr add "10.23.7.$i/24" dev eth0 && ip -n "$tag-$i" link set eth0 up || return 1
    done
}

if ! [ "$(id -u)" -eq 0 ] || ! make_hosts 2>"$work/err"; then
    remove_hosts
    skip 'three hosts' 'network namespaces cannot be made here'
    finish
fi
trap 'remove_hosts; rm -rf "$work"' EXIT

# What mpirun uses in place of ssh: the first argument is the address, the rest a command.
cat >"$work/remote" <<END
#!/bin/bash
host=\$1
shift
exec ip netns exec "$tag-\${host##*.}" unshare --uts sh -c 'hostname "$tag-'"\${host##*.}"'" && exec sh -c "\$*"' sh "\$@"
END
chmod +x "$work/remote"
printf '10.23.7.%s slots=1\n' 1 2 3 >"$work/hosts"

# on_hosts COUNT ARGUMENTS...: mpirun in the first host; a host that says nothing for five seconds is lost
on_hosts() {
    local count=$1
    shift
    exec "$work/remote" 10.23.7.1 mpirun -n "$count" --hostfile "$work/hosts" --map-by node --mca plm_rsh_agent "$work/remote" \
        --mca oob_tcp_if_include 10.23.7.0/24 --mca btl_tcp_if_include 10.23.7.0/24 --mca btl tcp,self,vader \
        --mca oob_tcp_keepalive_time 2 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3 \
        "$@"
}

status=0
(on_hosts 3 hostname) >"$work/out" 2>"$work/err" </dev/null || status=$?
[ "$(sort -u "$work/out" | wc -l)" -eq 3 ]
judge 'three hosts with names of their own' [ $? -eq 0 ]
(on_hosts 3 "$mpi" perft 6 --hash 16) >"$work/out" 2>"$work/err" </dev/null || status=$?
judge 'perft 6 on three hosts' grep -Fqx 'Nodes searched: 119060324' "$work/out"

# count_units: how many are in the journal
count_units() {
    if [ -f "$work/journal" ]; then
        grep -ac '^unit ' "$work/journal"
    else
        echo 0
    fi
}

# A host that vanishes says nothing: its link goes down, and its processes run on.
(on_hosts 3 "$mpi" perft 7 --journal "$work/journal") >"$work/out" 2>"$work/err" </dev/null &
job=$!
tries=0
until [ "$(count_units)" -ge 100 ] || [ $((++tries)) -gt 600 ]; do
    sleep 0.02
done
ip link set "${tag}v3" down
before=$(count_units)
status=0
wait "$job" || status=$?
units=$(count_units)
ip netns pids "$tag-3" | xargs -r kill -KILL
ip link set "${tag}v3" up
[ "$status" -ne 0 ] && [ "$before" -ge 100 ] && [ "$units" -lt 5362 ] &&
    grep -Eqi 'lost communication|unreachable|closed|timed out' "$work/err"
judge "a host is cut off after $before units: a message, and $units units are kept" [ $? -eq 0 ]
(on_hosts 3 "$mpi" perft 7 --journal "$work/journal" --hash 64) >"$work/out" 2>"$work/err" </dev/null || status=$?
grep -Fqx 'Nodes searched: 3195901860' "$work/out" &&
    [ "$(sed -n -E 's/.*reach them, ([0-9]+) counted.*/\1/p' "$work/out")" -le $((5362 - units + 1)) ]
judge 'the second run has the right count and does only the rest' [ $? -eq 0 ]

finish
