-- A fence is the time of its execution: a sequence of all workspaces would tell each how much the others do.
DROP SEQUENCE "execution_fence";
