-- Ends wrk's output with one line that a program can read.
function done(summary, latency, requests)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  print(string.format('{"answers":%d,"failed":%d,"bytes":%d,"microseconds":%d}',
    summary.requests, failed, summary.bytes, summary.duration))
end
