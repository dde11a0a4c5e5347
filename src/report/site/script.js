const log = document.getElementById('log');
if (log) {
  const events = new EventSource('/events');
  events.onmessage = event => {
    if (event.data === 'end') { events.close(); location.reload(); return; }
    log.textContent += event.data + '\n';
    log.scrollTop = log.scrollHeight;
  };
}
