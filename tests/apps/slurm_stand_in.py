"""A stand-in for Slurm: programs `sbatch`, `srun`, `sacct`, `squeue` and `scancel` that run jobs at once, in the background of
this machine, and keep what was asked for. It is strict where Slurm is: options must be ones that Slurm has, a script must
begin with `#!`, and it is run as a copy of another name, in the folder where it was submitted.

A job gets SLURM_JOB_ID and SLURM_NTASKS. Its time is over when a file exists that STAND_IN_UNTIL names: where the script
asks for `--signal=TERM@...`, its steps, which `srun` started, get that signal then, and nothing is killed."""

import os

SBATCH = r"""#!{python}
import os, pathlib, shutil, subprocess, sys, time
state = pathlib.Path({state!r})
KNOWN = set("job-name ntasks nodes ntasks-per-node cpus-per-task mem mem-per-cpu time signal open-mode output error partition account parsable requeue dependency".split())


def take(words):
    options = {{}}
    while words and words[0].startswith("--"):
        name, _, value = words.pop(0)[2:].partition("=")
        if name not in KNOWN:
            sys.exit(f"sbatch: unrecognized option '--{{name}}'")
        options[name] = value
    return options


words = sys.argv[1:]
given = take(words)
if not words:
    sys.exit("sbatch: no script")
script = pathlib.Path(words[0])
text = script.read_text()
if not text.startswith("#!"):
    sys.exit("sbatch: error: This does not look like a batch script.")
options = {{}}
for line in text.splitlines():
    if line.startswith("#SBATCH "):
        options |= take(line.split(" #")[0].split()[1:])
    elif line and not line.startswith("#"):
        break  # Slurm reads no options behind the first command
options |= given
while True:  # numbers are taken by making a folder: jobs may be submitted side by side
    number = len(list(state.glob("*.job"))) + 1
    try:
        (state / f"{{number}}.job").mkdir()
        break
    except FileExistsError:
        time.sleep(0.01)
(state / f"{{number}}.options").write_text(" ".join(f"--{{name}}={{value}}" if value else f"--{{name}}" for name, value in options.items()))
copy = state / f"{{number}}.job" / "slurm_script"
shutil.copy(script, copy)
copy.chmod(0o700)
log = options.get("output", f"slurm-%j.out").replace("%j", str(number)).replace("%x", options.get("job-name", script.name))
environment = dict(os.environ, SLURM_JOB_ID=str(number), SLURM_NTASKS=options.get("ntasks", "1"), SLURM_SUBMIT_DIR=os.getcwd())
code = f'''
import os, pathlib, signal, subprocess, threading
job = subprocess.Popen({{[str(copy), *words[1:]]!r}})
done = threading.Event()
def limit():
    while not os.path.exists(os.environ["STAND_IN_UNTIL"]):
        if done.wait(0.002):
            return
    for step in pathlib.Path({{str(copy.parent)!r}}).glob("step-*"):
        process = step.name.split("-")[1]
        if {launcher!r}:  # srun signals its processes, and mpirun would end them
            tasks = subprocess.run(["ps", "-o", "pid=", "--ppid", process], text=True, capture_output=True).stdout.split()
        else:
            tasks = [process]
        for task in tasks:
            try:
                os.kill(int(task), signal.SIGTERM)
            except ProcessLookupError:
                pass
if "STAND_IN_UNTIL" in os.environ and {{options.get("signal", "").startswith("TERM@")}}:
    threading.Thread(target=limit, daemon=True).start()
returned = job.wait()
done.set()
pathlib.Path({{str(state)!r}}, "{{number}}.code").write_text(str(returned))
pathlib.Path({{str(state)!r}}, "{{number}}.state").write_text("COMPLETED" if returned == 0 else "FAILED")
'''
with open(log, "a" if options.get("open-mode") == "append" else "w") as file:
    job = subprocess.Popen([sys.executable, "-c", code], stdout=file, stderr=file, stdin=subprocess.DEVNULL, env=environment,
                           start_new_session=True)
(state / f"{{number}}.pid").write_text(str(job.pid))
print(number if "parsable" in options else f"Submitted batch job {{number}}")
"""
SRUN = r"""#!{python}
# A step of a job: its processes by mpirun, where the program is one of MPI.
import os, pathlib, sys
words = sys.argv[1:]
while words and words[0].startswith("--"):
    words.pop(0)
(pathlib.Path({state!r}) / (os.environ["SLURM_JOB_ID"] + ".job") / f"step-{{os.getpid()}}").write_text(" ".join(words))
launcher = {launcher!r}
if launcher:
    words = [*launcher, "-n", os.environ["SLURM_NTASKS"], *words]
os.execvp(words[0], words)
"""
SACCT = r"""#!{python}
import pathlib, sys
state = pathlib.Path({state!r}) / (sys.argv[sys.argv.index("-j") + 1] + ".state")
print(state.read_text() if state.exists() else "RUNNING")
"""
SCANCEL = r"""#!{python}
import os, pathlib, signal, sys
for number in sys.argv[1:]:
    with open(pathlib.Path({state!r}) / "cancelled", "a") as file:
        file.write(number + "\n")
    os.killpg(int((pathlib.Path({state!r}) / (number + ".pid")).read_text()), signal.SIGTERM)
"""


def install(folder, programs=None, launcher=()):
    """The environment of a machine with the stand-in, with further programs by their names, and the folder of its states.
    `launcher`: words before `-n N PROGRAM`, for programs of MPI."""
    state, path = folder / "state", folder / "programs"
    state.mkdir()
    path.mkdir()
    for name, text in (("sbatch", SBATCH), ("srun", SRUN), ("sacct", SACCT), ("scancel", SCANCEL)):
        (path / name).write_text(text.format(python="/usr/bin/python3", state=str(state), launcher=list(launcher)))
        (path / name).chmod(0o755)
    for name, program in (programs or {}).items():
        (path / name).symlink_to(program)
    return {**os.environ, "PATH": f"{path}:{os.environ['PATH']}"}, state
