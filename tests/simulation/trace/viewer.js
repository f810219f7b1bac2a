/* Draws the history of the page: machines, messages, leases and calls over time. */
(() => {
  const { trace, violations } = picture;
  const canvas = document.getElementById('picture');
  const paint = canvas.getContext('2d');
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const ink = isDark ? '#ddd' : '#222';
  const colours = {
    message: isDark ? '#7af6' : '#04c5',
    event: '#2a8',
    note: '#c60',
    lease: '#8855cc',
    call: '#3388cc',
  };
  const rowHeight = 24;
  const barHeight = 12;
  const left = 110;
  const end = Math.max(
    ...trace.notes.map(({ at }) => at),
    ...trace.messages.map(({ at }) => at),
    1,
  );
  let from = 0;
  let to = end * 1.02;
  let marked = null;

  const rows = new Map(trace.machines.map((name, index) => [name, index]));
  rows.set('nemesis', rows.size);
  rows.set('operator', rows.size);
  const bars = [
    ...trace.calls.map((call) => ({
      label: `${call.id} ${call.outcome}`,
      from: call.sentAt,
      to: call.chargedAt ?? call.bookedAt ?? call.sentAt,
      marks: [call.admittedAt, call.bookedAt, call.chargedAt],
      colour: colours.call,
    })),
    ...trace.leases.map((lease) => ({
      label: `${lease.id.slice(-18)} ${lease.amount}`,
      from: lease.from,
      to: lease.to,
      marks: [],
      colour: colours.lease,
    })),
  ].sort((a, b) => a.from - b.from);

  const x = (at) => left + ((at - from) / (to - from)) * (canvas.clientWidth - left - 10);
  const y = (name) => 28 + (rows.get(name) ?? 0) * rowHeight;

  const line = (x1, y1, x2, y2, colour) => {
    paint.strokeStyle = colour;
    paint.beginPath();
    paint.moveTo(x1, y1);
    paint.lineTo(x2, y2);
    paint.stroke();
  };

  const drawTime = () => {
    const step = 10 ** Math.floor(Math.log10((to - from) / 3));
    paint.fillStyle = ink;
    for (let at = Math.ceil(from / step) * step; at < to; at += step) {
      line(x(at), 16, x(at), canvas.clientHeight, '#8882');
      paint.fillText(`${(at / 1000).toFixed(step < 100 ? 3 : 1)} s`, x(at) + 2, 12);
    }
    if (marked !== null) line(x(marked), 16, x(marked), canvas.clientHeight, '#d33');
  };

  const drawMachines = () => {
    for (const [name] of rows) {
      line(left, y(name), canvas.clientWidth, y(name), '#8884');
      paint.fillStyle = ink;
      paint.fillText(name, 8, y(name) + 4);
    }
  };

  const drawMessages = () => {
    for (const { from: sender, to: receiver, sentAt, at } of trace.messages) {
      if (at < from || sentAt > to) continue;
      line(x(sentAt), y(sender), x(at), y(receiver), colours.message);
    }
  };

  const drawNotes = () => {
    for (const { at, machine, kind } of trace.notes) {
      if (at < from || at > to || kind === 'log-line') continue;
      paint.fillStyle = kind === 'event' ? colours.event : colours.note;
      paint.fillRect(x(at) - 2, y(machine) - 4, 4, 8);
    }
  };

  const drawBar = (bar, start, at) => {
    paint.fillStyle = `${bar.colour}99`;
    paint.fillRect(start, at, Math.max(2, x(bar.to) - start), barHeight);
    paint.fillStyle = ink;
    for (const mark of bar.marks) if (mark !== null) paint.fillRect(x(mark), at, 1, barHeight);
    paint.fillText(bar.label, start + 3, at + 10);
  };

  /** Bars that are over leave their row to the next ones. */
  const drawBars = () => {
    const top = 28 + rows.size * rowHeight;
    const taken = [];
    for (const bar of bars) {
      if (bar.to < from || bar.from > to) continue;
      const start = Math.max(x(bar.from), left);
      const width = Math.max(2, x(bar.to) - start);
      const reach = start + Math.max(width, paint.measureText(bar.label).width + 6);
      let row = taken.findIndex((right) => right < start);
      if (row < 0) row = taken.length;
      taken[row] = reach;
      drawBar(bar, start, top + row * (barHeight + 3));
    }
  };

  const draw = () => {
    const scale = devicePixelRatio || 1;
    canvas.width = canvas.clientWidth * scale;
    canvas.height = canvas.clientHeight * scale;
    paint.setTransform(scale, 0, 0, scale, 0, 0);
    paint.font = '11px system-ui, sans-serif';
    drawTime();
    drawMachines();
    drawMessages();
    drawNotes();
    drawBars();
  };

  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const share = (event.offsetX - left) / (canvas.clientWidth - left);
    const centre = from + share * (to - from);
    const factor = event.deltaY > 0 ? 1.25 : 0.8;
    from = centre - (centre - from) * factor;
    to = centre + (to - centre) * factor;
    draw();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (event.buttons === 0) return;
    const moved = (event.movementX / (canvas.clientWidth - left)) * (to - from);
    from -= moved;
    to -= moved;
    draw();
  });

  const list = document.getElementById('notes');
  const show = (text) => {
    list.replaceChildren();
    for (const { at, machine, kind, text: said } of trace.notes) {
      const shown = `${(at / 1000).toFixed(4)} ${machine} ${said}`;
      if (text !== '' && !shown.includes(text)) continue;
      const item = document.createElement('li');
      item.className = machine === 'nemesis' ? 'nemesis' : kind;
      item.textContent = shown;
      item.addEventListener('click', () => {
        const half = Math.min((to - from) / 2, 500);
        [from, to, marked] = [at - half, at + half, at];
        draw();
      });
      list.append(item);
    }
  };
  document.getElementById('filter').addEventListener('input', (event) => show(event.target.value));
  for (const { kind, detail } of violations) {
    const item = document.createElement('li');
    item.textContent = `${kind}: ${detail}`;
    document.getElementById('violations').append(item);
  }
  addEventListener('resize', draw);
  show('');
  draw();
})();
