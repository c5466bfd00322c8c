
"use strict";
// Sorts and re-ranks the table, shades the source by it, marks what an execution covers. Without this script the page
// still has everything but the shades and the matrix.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const table = document.getElementById("ranks");

  // -- units: what the table of the ranking says of them is read there; data.others has the rest -----------------
  const told = new Map(data.others.map(([id, ...rest]) => [id, rest]));
  const ids = data.ranking.flat();
  if (table) {
    [...table.tBodies[0].rows].forEach((row, i) => {
      const n = row.cells.length, link = row.cells[n - 2].firstChild;
      row.dataset.unit = String(ids[i]);
      const line = Number(link.textContent), anchor = link.getAttribute("href").slice(1);
      told.set(ids[i], [row.cells[1].textContent, line, anchor, row.cells[n - 1].textContent.trimEnd()]);
    });
  }
  const units = data.units.map(([id, spectrum]) => {
    const [name, line, anchor, text] = told.get(id);
    return { id, spectrum, name, line, anchor, text };
  });
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  const lines = new Map(); // the units that begin on each line
  for (const { anchor, id } of units) {
    const row = document.getElementById(anchor);
    if (row) lines.set(row, [...(lines.get(row) || []), id]);
  }

  // -- ranking: group (place of the tie, from 0) and rank of each unit ------------------------------------------
  const given = new Map();
  data.ranking.forEach((ids, group) => ids.forEach((id) => given.set(id, group)));

  function groupsBy(choice) {
    if (choice === "given") return given;
    const measure = data.measures[Number(choice)];
    return new Map(units.map((unit) => [unit.id, measure.places[unit.spectrum]]));
  }

  function shade(groups) {
    const places = [...new Set(groups.values())].sort((a, b) => a - b);
    const heat = new Map(places.map((place, i) => [place, 1 + Math.floor((i * data.heats) / places.length)]));
    for (const [row, ids] of lines) {
      if (row.dataset.heat) row.classList.remove(row.dataset.heat);
      // What no failing execution covers is left white.
      const suspects = ids.filter((id) => groups.has(id) && data.spectra[byId.get(id).spectrum][0] > 0);
      row.dataset.heat = suspects.length ? "heat-" + Math.min(...suspects.map((id) => heat.get(groups.get(id)))) : "";
      if (row.dataset.heat) row.classList.add(row.dataset.heat);
    }
  }

  const columns = table ? [...table.tHead.querySelectorAll("button")].map((button) => button.dataset.key) : [];
  const cell = (row, key) => row.cells[columns.indexOf(key)];

  function value(row, key) {
    const text = cell(row, key).textContent;
    if (key === "source") return text;
    if (key === "unit") return Number(row.dataset.unit);
    if (text === "") return -1;
    if (text === "inf") return Infinity;
    if (text === "-inf") return -Infinity;
    return parseFloat(text);
  }

  function sort(key, direction) {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [value(row, key), value(row, "rank"), row]);
    const sign = direction === "ascending" ? 1 : -1;
    const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    rows.sort((a, b) => sign * compare(a[0], b[0]) || a[1] - b[1]);
    body.append(...rows.map((row) => row[2]));
    for (const button of table.tHead.querySelectorAll("button")) {
      const head = button.parentElement;
      if (button.dataset.key === key) head.setAttribute("aria-sort", direction);
      else head.removeAttribute("aria-sort");
    }
  }

  function rankBy(choice) {
    const groups = groupsBy(choice);
    const measure = data.measures[choice === "given" ? 0 : Number(choice)];
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => {
      const x = Number(a.dataset.unit), y = Number(b.dataset.unit);
      return groups.get(x) - groups.get(y) || x - y;
    });
    rows.forEach((row, i) => {
      const score = measure.values[byId.get(Number(row.dataset.unit)).spectrum];
      cell(row, "rank").textContent = String(i + 1);
      cell(row, "score").textContent = typeof score === "number" ? score.toFixed(3) : score;
    });
    document.getElementById("equation").textContent = measure.equation;
    sort("rank", "ascending");
    shade(groups);
  }

  if (table && data.measures.length) {
    const select = document.getElementById("measure");
    select.add(new Option("the report (" + data.measures[0].name + " and what else is known)", "given"));
    data.measures.forEach((measure, i) => select.add(new Option(measure.name, String(i))));
    select.addEventListener("change", () => rankBy(select.value));
    table.tHead.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const now = button.parentElement.getAttribute("aria-sort");
      const large = ["score", "ef", "np", "saves"].includes(button.dataset.key); // most suspicious first
      const first = large ? "descending" : "ascending";
      sort(button.dataset.key, now === first ? (large ? "ascending" : "descending") : first);
    });
    document.getElementById("equation").textContent = data.measures[0].equation;
    shade(given); // the rows stand in this order already
  }

  // -- executions -----------------------------------------------------------------------------------------------
  // Four units in each hexadecimal digit.
  const covers = (run, i) => (parseInt(run.covered[i >> 2], 16) >> (i & 3)) & 1;
  document.querySelectorAll(".runs .inputs").forEach((list, n) => {
    data.runs[n].inputs.forEach((kind, k) => { list.children[k].title = data.inputs[kind]; });
  });
  const buttons = [...document.querySelectorAll("button.run")];
  function mark(button) {
    const on = button.getAttribute("aria-pressed") !== "true";
    for (const other of buttons) other.setAttribute("aria-pressed", String(on && other === button));
    const run = data.runs[Number(button.dataset.run)];
    const covered = new Set(on ? units.filter((unit, i) => covers(run, i)).map((unit) => unit.id) : []);
    let count = 0;
    for (const [row, ids] of lines) {
      const hit = ids.some((id) => covered.has(id));
      row.classList.toggle("covered", hit);
      count += hit;
    }
    document.getElementById("chosen-run").textContent = on ? "Execution " + run.id + " covers " + count + " lines." : "";
  }
  for (const button of buttons) button.addEventListener("click", () => mark(button));

  // -- step by step ---------------------------------------------------------------------------------------------
  // A negative number and the one behind it are a copy: so far back, so many.
  function unpacked(numbers) {
    const all = [];
    for (let i = 0; i < numbers.length; i++) {
      if (numbers[i] >= 0) all.push(numbers[i]);
      else for (let from = all.length + numbers[i], n = numbers[++i]; n > 0; n--) all.push(all[from++]);
    }
    return all;
  }

  // Steps are [unit (its place in the list), depth, outcome or null, [[depth, name, value], ...]].
  function unpackedTraces() {
    const { kinds, names, values } = data.traces;
    const steps = unpacked(data.traces.steps), written = unpacked(data.traces.written);
    let step = 0, write = 0;
    return data.traces.runs.map((trace) => ({
      ...trace,
      steps: steps.slice(step, (step += trace.count)).map((kind) => {
        const [unit, depth, outcome, writes] = kinds[kind];
        return [unit, depth, outcome, writes.map(([owner, name]) => [owner, names[name], values[written[write++]]])];
      }),
    }));
  }

  const stepper = document.getElementById("stepper");
  if (stepper) {
    const get = (id) => document.getElementById(id);
    const choice = get("trace"), at = get("at"), place = get("place"), variables = get("variables").tBodies[0];
    const traces = unpackedTraces();
    let trace = traces[0], position = 0, current = null;

    // What is known after a step: the last value of each variable of the activations that are not over.
    function known(until) {
      const values = new Map();
      trace.steps.slice(0, until + 1).forEach(([, depth, , writes], n) => {
        for (const [key, value] of values) if (value.depth > depth) values.delete(key);
        for (const [owner, name, value] of writes) {
          const key = owner + " " + name;
          values.delete(key);
          values.set(key, { depth: owner, name, value, changed: n === until });
        }
      });
      return [...values.values()].reverse().sort((a, b) => b.depth - a.depth); // the latest first
    }

    function show(n) {
      position = Math.max(0, Math.min(n, trace.steps.length - 1));
      const [index, depth, outcome] = trace.steps[position];
      const unit = units[index], last = position === trace.steps.length - 1;
      at.max = String(trace.steps.length);
      at.value = String(position + 1);
      place.textContent =
        "Step " + (trace.before + position + 1) + " of " + (trace.before + trace.steps.length) + ", line " + unit.line +
        (depth > 1 ? ", in a call of depth " + (depth - 1) : "") + ": " + unit.text +
        (outcome === null ? "" : outcome ? " is true" : " is false") + (last ? "; then: " + trace.ends : "");
      variables.replaceChildren();
      for (const { depth: owner, name, value, changed } of known(position)) {
        const row = variables.insertRow();
        row.insertCell().textContent = name;
        row.insertCell().textContent = value;
        if (changed) row.className = "changed";
        else if (owner !== depth) row.className = "outer";
      }
      if (current) current.classList.remove("current");
      current = get(unit.anchor);
      if (current) {
        current.classList.add("current");
        current.scrollIntoView({ block: "nearest" });
      }
    }

    traces.forEach((item, n) => choice.add(new Option(String(item.run), String(n))));
    choice.addEventListener("change", () => {
      trace = traces[Number(choice.value)];
      show(0);
    });
    get("first").addEventListener("click", () => show(0));
    get("back").addEventListener("click", () => show(position - 1));
    get("next").addEventListener("click", () => show(position + 1));
    get("last").addEventListener("click", () => show(trace.steps.length - 1));
    at.addEventListener("input", () => show(Number(at.value) - 1));
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select")) return;
      if (event.key === "n") show(position + 1);
      else if (event.key === "b") show(position - 1);
    });
    const start = trace.steps[0];
    place.textContent = trace.steps.length + " steps; the first is in line " + units[start[0]].line + ".";
    at.max = String(trace.steps.length);
    position = -1; // the first key or click shows the first step
  }

  // -- coverage matrix, made when it is opened ------------------------------------------------------------------
  const matrix = document.getElementById("matrix");
  if (matrix) {
    matrix.addEventListener("toggle", () => {
      const place = matrix.querySelector(".scroll");
      if (!matrix.open || place.firstChild) return;
      const made = document.createElement("table");
      const head = made.createTHead().insertRow();
      const add = (row, text, scope, kind) => {
        const th = document.createElement("th");
        th.textContent = text;
        th.scope = scope;
        if (kind) th.className = kind;
        row.append(th);
      };
      add(head, "unit", "col");
      for (const run of data.runs) add(head, String(run.id), "col", run.outcome);
      const body = made.createTBody();
      units.forEach((unit, i) => {
        const row = body.insertRow();
        add(row, unit.name + " (line " + unit.line + ")", "row");
        for (const run of data.runs) {
          const td = row.insertCell();
          td.textContent = covers(run, i) ? "1" : "·";
          if (covers(run, i)) td.className = "yes";
        }
      });
      place.append(made);
    });
  }
})();
