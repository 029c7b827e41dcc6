-- A new trace is updated several times soon: room on its page, so that no index changes.
ALTER TABLE "trace" SET (fillfactor = 50);
