#!/bin/sh
# A campaign as a job array of Slurm: sbatch slurm.sh. A task that is requeued goes on where it was.
#SBATCH --array=1-100 --requeue
db=part-$SLURM_ARRAY_TASK_ID.db
resume=; [ -s "$db" ] && resume=--resume
gramercy run grammar.g4 --shard auto --db "$db" $resume --jobs "${SLURM_CPUS_PER_TASK:-1}" -- ./parser {}
# Findings are the exit code 1, and no failure of the task. When all tasks are done: gramercy merge part-*.db -o all.db
[ $? -le 1 ]
