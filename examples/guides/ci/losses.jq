# What a plan stops or loses, a line each.
def losses:
  .change as {$actions, $after, after_unknown: $unknown}
  | if any($actions[]; . == "delete") then "is destroyed"
    elif any($actions[]; . == "update") | not then empty
    else
      ($after.last_change // {} | (.stops // empty | "is stopped for \(.)"),
        (.erases // {} | to_entries[] | "\(.key) is erased for \(.value)"),
        (.purges // [] | .[] | "\(.) is purged")),
      ($unknown.last_change | if . == true then {stops: true} else . // {} end
        | if any(.stops, .erases, .purges; . == true) then "may stop or lose more, which is known only after apply" else empty end)
    end;

if .errored then "the plan has failed" else empty end,
(.resource_changes // [] | .[] | select(.type == "cloudserver_vm") | "\(.address): \(losses)"),
(.action_invocations // [] | .[]
  | select(.type | startswith("cloudserver_") and (IN("cloudserver_disc_backup", "cloudserver_vm_undelete") | not))
  | "\(.address): is invoked")
