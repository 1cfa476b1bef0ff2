#!/bin/sh
# Runs Chromium in the process group of this script, which the runner starts as a group of its own. When Chromium ends,
# or when the runner is gone in whatever way, all of the group is killed and the profile is deleted.
runner=$ATRIUM_RUNNER_PID profile=$ATRIUM_PROFILE

# In a session of its own, so that it survives the group that it kills.
sweep() {
  setsid sh -c 'kill -KILL -- "-$1"; sleep 0.3; rm -rf -- "$2"' sweep "$$" "$profile" </dev/null >/dev/null 2>&1 3>&- 4>&- &
}

"$ATRIUM_BROWSER" "$@" <&0 &
browser=$!
(
  while kill -0 "$runner" && kill -0 "$browser"; do sleep 0.5; done
  sweep
) </dev/null >/dev/null 2>&1 3>&- 4>&- &
wait "$browser"
sweep
wait
