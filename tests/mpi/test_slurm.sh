#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The Slurm script of docs/cluster.md under a Slurm of its own: one controller and one node, started here and ended at the
# end. Needs root and Debian's slurm-wlm. Argument: the path of luft.
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

if ! [ "$(id -u)" -eq 0 ] || ! command -v slurmctld slurmd sbatch >"$work/which"; then
    skip 'Slurm' 'it is not installed, or this is not root'
    finish
fi

host=$(hostname -s)
mkdir "$work/state" "$work/spool" "$work/home" "$work/bin"
ln -s "$luft" "$work/bin/luft"
cat >"$work/slurm.conf" <<END
ClusterName=luft
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_min_interval=100000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
END
export SLURM_CONF=$work/slurm.conf PATH=$work/bin:$PATH

slurmctld -D >"$work/controller" 2>&1 &
controller=$!
slurmd -D -N "$host" >"$work/node" 2>&1 &
node=$!
trap 'scancel --quiet --user=root 2>/dev/null; kill $node $controller; wait; rm -rf "$work"' EXIT

# wait_until SECONDS COMMAND...
wait_until() {
    local tries=$(($1 * 5))
    shift
    until "$@" >"$work/out" 2>"$work/err" || [ $((tries--)) -le 0 ]; do
        sleep 0.2
    done
    "$@" >"$work/out" 2>"$work/err"
}

node_is_idle() {
    sinfo --noheader --format=%T | grep -q idle
}
status=0
wait_until 30 node_is_idle || status=$?
if [ "$status" -ne 0 ]; then
    tail -n 5 "$work/slurmctld.log" "$work/slurmd.log" | sed 's/^/# /'
fi
judge 'a controller and a node' [ "$status" -eq 0 ]

# The script as it stands, but for the processors that this node has not.
awk '/^```(sh|text)$/ { inside = ++count == 3; next } /^```/ { inside = 0 } inside' "$root/docs/cluster.md" |
    sed "s/--cpus-per-task=8/--cpus-per-task=1/" >"$work/home/analyse.sh"
cp "$root/tests/data/pgn/classics.pgn" "$work/home/games.pgn"
cd "$work/home" || exit 2
id=$(sbatch --parsable analyse.sh 2>"$work/err")
judge 'sbatch takes the array' [ -n "$id" ]
last=$(sbatch --parsable --dependency="afterok:$id" --wrap 'luft merge parts -o annotated.pgn' 2>"$work/err")
job_is_over() {
    ! squeue --noheader --job "$1" 2>/dev/null | grep -q .
}
[ -n "$last" ] && wait_until 120 job_is_over "$last"
"$luft" analyse "$root/tests/data/pgn/classics.pgn" --nodes 2000 >"$work/expected.pgn"
cmp annotated.pgn "$work/expected.pgn" && [ "$(find parts -name '*.journal' | wc -l)" -eq 4 ]
judge 'four jobs and one that merges give the bytes of a single run' [ $? -eq 0 ]
cd "$root" || exit 2

finish
