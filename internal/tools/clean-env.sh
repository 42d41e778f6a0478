# Sourced by make and by the demo. What a developer has set for own work must not reach them: credentials, logs,
# workspaces, arguments, CLI configuration.
for name in $(env | sed -n -e 's/^\(CLOUDSERVER_[A-Za-z0-9_]*\)=.*/\1/p' -e 's/^\(TF_[A-Za-z0-9_]*\)=.*/\1/p'); do
	unset "$name"
done
CHECKPOINT_DISABLE=1
export CHECKPOINT_DISABLE
