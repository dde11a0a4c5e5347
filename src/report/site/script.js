const log = document.getElementById('log');
const text = document.getElementById('text');
const append = (box, piece) => {
  const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  box.append(piece);
  if (atEnd) box.scrollTop = box.scrollHeight;
};
if (log) {
  const events = new EventSource('/events');
  events.onmessage = event => {
    if (event.data === 'end') { events.close(); location.reload(); return; }
    append(log, event.data + '\n');
  };
  events.addEventListener('begin', event => { text.textContent = ''; append(text, event.data); });
  events.addEventListener('text', event => append(text, event.data));
}
