// Shows the contract of the service and sends the requests that people try.
'use strict';

/** An element with properties and children; strings become text, never markup. */
function make(name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Text in which `…` marks code. */
function inline(text) {
  return text.split('`').map((part, i) => (i % 2 ? make('code', {}, part) : part));
}

/** Paragraphs and lists of plain text. */
function prose(text) {
  const blocks = (text ?? '').trim().split(/\n\s*\n|\n(?=- )/).filter(Boolean);
  const shown = [];
  for (const block of blocks) {
    const item = block.startsWith('- ');
    const children = inline((item ? block.slice(2) : block).replace(/\s+/g, ' ').trim());
    if (!item) {
      shown.push(make('p', {}, ...children));
      continue;
    }
    if (shown.at(-1)?.tagName !== 'UL') shown.push(make('ul'));
    shown.at(-1).append(make('li', {}, ...children));
  }
  return shown;
}

let contract = null;

function resolved(value) {
  const steps = value?.$ref?.slice(2).split('/');
  return steps ? resolved(steps.reduce((at, step) => at[step], contract)) : value;
}

const nameOf = (schema) => schema?.$ref?.split('/').at(-1);

/** The parts with `separator` between them, each once. */
function joined(parts, separator) {
  const texts = parts.map((part) => part.map((node) => node.textContent ?? node).join(''));
  const distinct = parts.filter((part, i) => part.length && texts.indexOf(texts[i]) === i);
  return distinct.flatMap((part, i) => (i ? [separator, ...part] : part));
}

/** A schema's type in a few words; what has a name is a link. */
function kind(schema) {
  const it = resolved(schema) ?? {};
  const name = nameOf(schema);
  const values = it.enum?.filter((value) => value !== null).join(' | ');
  if (name) {
    const link = make('a', { href: `#type-${name}` }, name);
    return values ? [link, `: ${values}`] : [link];
  }
  return values ? [values] : shape(it);
}

/** What a schema without a name is made of. */
function shape(it) {
  if (it.allOf) return kind(it.allOf[0]);
  if (it.oneOf) return joined(it.oneOf.map(kind), ' or ');
  const types = [it.type ?? 'any'].flat().filter((name) => name !== 'null');
  if (types.includes('array')) return ['array of ', ...kind(it.items)];
  if (!types.length) return [];
  const { minimum, maximum } = it;
  const range = maximum !== undefined ? `, ${minimum} to ${maximum}` : minimum !== undefined ? `, ${minimum} or more` : '';
  return [types.join(' or ') + range];
}

function fieldTable(rows) {
  const head = make('tr', {}, ...['Field', 'Type', 'Meaning'].map((name) => make('th', { scope: 'col' }, name)));
  const body = rows.map(({ name, schema, required, description }) => {
    const mark = required ? make('span', { className: 'required' }, ' required') : null;
    const text = description ?? resolved(schema)?.description;
    return make('tr', {}, make('td', {}, make('code', {}, name), mark), make('td', {}, ...kind(schema)), make('td', {}, ...prose(text)));
  });
  return make('div', { className: 'wide' }, make('table', {}, make('thead', {}, head), make('tbody', {}, ...body)));
}

function bodyFields(schema) {
  const it = resolved(schema);
  return Object.entries(it?.properties ?? {}).map(([name, field]) => ({
    name, schema: field, required: (it.required ?? []).includes(name), description: field.description,
  }));
}

const pretty = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 1));

/** An answer, folded up under the name of its example. */
function sample(name, { summary, value }) {
  return make('details', {}, make('summary', {}, 'Example: ', summary ?? name), make('pre', { tabIndex: 0, ariaLabel: 'Example' }, pretty(value)));
}

/** What a documented answer looks like. */
function answers(operation) {
  return Object.entries(operation.responses).map(([status, response]) => {
    const it = resolved(response);
    const media = Object.entries(it.content ?? {});
    const shown = media.flatMap(([type, content]) => [
      make('p', { className: 'mono' }, type),
      ...(type.endsWith('json') && nameOf(content.schema) ? [make('p', {}, ...kind(content.schema))] : []),
      ...(type.endsWith('json') && content.schema && status === '200' ? [fieldTable(bodyFields(content.schema))] : []),
      ...Object.entries(content.examples ?? {}).map(([name, example]) => sample(name, example)),
    ]);
    return make('details', {}, make('summary', {}, make('code', {}, status), ' ', ...inline(it.description.trim().split('\n')[0])), ...shown);
  });
}

function choice(label, options) {
  const select = make('select', {}, ...options.map(([value, text]) => make('option', { value }, text ?? value)));
  return { select, element: make('label', {}, label, select) };
}

/** The requests of a route that are documented: bodies with their types, or addresses. */
function documented(operation) {
  const bodies = Object.entries(operation.requestBody?.content ?? {}).flatMap(([type, content]) =>
    Object.entries({ ...content.examples, ...content['x-wrong-examples'] }).map(([name, example]) => ({ type, name, ...example })));
  const answers = Object.values(operation.responses).flatMap((response) => Object.values(resolved(response).content ?? {}));
  const addresses = answers.flatMap((content) => Object.entries(content.examples ?? {}))
    .filter(([, example]) => example['x-request']?.startsWith('/'))
    .map(([name, example]) => ({ name, address: example['x-request'] }));
  return bodies.length ? bodies : addresses;
}

/** Fills in the parameters that an address has. */
function fillIn(inputs, path, address) {
  const [place, query] = address.split('?');
  const names = path.split('/').map((step) => step.match(/^\{(.*)\}$/)?.[1]);
  const steps = place.split('/');
  const given = new URLSearchParams(query);
  for (const { parameter, input } of inputs) {
    input.value = parameter.in === 'path' ? steps[names.indexOf(parameter.name)] : given.get(parameter.name) ?? '';
  }
}

/** The form with which a route is tried. */
function trial(path, method, operation) {
  const requestTypes = Object.entries(operation.requestBody?.content ?? {});
  const examples = documented(operation);
  const answerTypes = Object.keys(resolved(operation.responses['200'])?.content ?? {})
    .filter((type) => type !== 'application/x-ndjson');
  const form = make('form', { noValidate: true });
  const controls = make('div', { className: 'controls' });
  const text = make('textarea', { spellcheck: false, rows: 4 });
  const asked = choice('Example', examples.map(({ summary, address, name }, i) => [String(i), summary ?? address ?? name]));
  const wanted = choice('Answer as', answerTypes.map((type) => [type]));
  const inputs = (operation.parameters ?? []).map(resolved).map((parameter) => {
    const input = make('input', { name: parameter.name, value: parameter.example ?? '' });
    controls.append(make('label', {}, parameter.name, input));
    return { parameter, input };
  });
  const fill = () => {
    const example = examples[Number(asked.select.value)];
    if (example.address) fillIn(inputs, path, example.address);
    else text.value = typeof example.value === 'string' ? example.value : JSON.stringify(example.value);
  };
  if (examples.length) {
    asked.select.addEventListener('change', fill);
    fill();
  }
  if (answerTypes.length > 1) controls.append(wanted.element);
  if (requestTypes.length) form.append(make('label', {}, 'Body', text));
  const button = make('button', { type: 'submit' }, 'Try it');
  const output = make('div', { 'aria-live': 'polite' });
  form.prepend(...(examples.length ? [make('div', { className: 'controls' }, asked.element)] : []), controls);
  form.append(make('div', { className: 'controls' }, button), output);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    const headers = answerTypes.length ? { accept: wanted.select.value || answerTypes[0] } : {};
    for (const { parameter, input } of inputs) {
      if (parameter.in === 'header' && input.value !== '') headers[parameter.name] = input.value;
    }
    if (requestTypes.length) headers['content-type'] = examples[Number(asked.select.value)]?.type ?? requestTypes[0][0];
    const request = { method: method.toUpperCase(), headers, body: requestTypes.length ? text.value : undefined };
    await send(target(path, inputs), request, output);
    button.disabled = false;
  });
  return form;
}

/** The address of a request, relative to this page. */
function target(path, inputs) {
  const query = new URLSearchParams();
  for (const { parameter, input } of inputs) {
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
    else if (parameter.in === 'query' && input.value !== '') query.set(parameter.name, input.value);
  }
  const asked = query.toString();
  return path.slice(1) + (asked ? `?${asked}` : '');
}

async function send(address, request, output) {
  output.replaceChildren(make('p', { className: 'status' }, 'Waiting for the answer …'));
  try {
    const response = await fetch(address || '.', request);
    const notes = ['server-timing', 'x-request-id', 'location'].map((name) => [name, response.headers.get(name)]);
    const small = notes.filter(([, value]) => value).map(([name, value]) => `${name}: ${value}`).join('   ');
    const status = make('p', { className: response.ok ? 'status' : 'status bad' },
      `${response.status} ${response.statusText}`, make('small', {}, small));
    const shown = make('pre', { tabIndex: 0 });
    output.replaceChildren(status, shown);
    await show(response, shown);
  } catch (error) {
    output.replaceChildren(make('p', { className: 'status bad' }, `No answer: ${error.message}`));
  }
}

/** Shows a body while it arrives; JSON in full is laid out once it is there. */
async function show(response, shown) {
  const type = response.headers.get('content-type') ?? '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let whole = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    whole += decoder.decode(value, { stream: true });
    if (!type.includes('json')) shown.textContent = whole;
  }
  shown.textContent = /^application\/(problem\+)?json/.test(type) ? pretty(JSON.parse(whole)) : whole;
}

function route(path, method, operation) {
  const id = operation.operationId;
  const requestTypes = Object.entries(operation.requestBody?.content ?? {});
  const parameters = (operation.parameters ?? []).map(resolved);
  const json = requestTypes.find(([type]) => type === 'application/json');
  const fields = json ? bodyFields(json[1].schema) : parameters;
  return make('article', { className: 'route', id, 'aria-labelledby': `${id}-name` },
    make('h3', { id: `${id}-name` }, make('span', { className: `method ${method}` }, method.toUpperCase()), path),
    make('p', { className: 'summary' }, operation.summary),
    ...prose(operation.description),
    ...(fields.length ? [make('h4', {}, 'Fields'), fieldTable(fields)] : []),
    make('h4', {}, 'Try'), trial(path, method, operation),
    make('h4', {}, 'Answers'), ...answers(operation));
}

function contents(tag, operations) {
  const items = operations.map(([path, method, operation]) => {
    const badge = make('span', { className: `method ${method}` }, method.toUpperCase());
    return make('li', {}, make('a', { href: `#${operation.operationId}` }, badge, path));
  });
  return [make('h2', {}, tag.name), make('ul', {}, ...items)];
}

/** A schema with a name of its own. */
function namedType([name, schema]) {
  const fields = bodyFields(schema);
  return make('article', { className: 'route', id: `type-${name}`, 'aria-labelledby': `type-${name}-name` },
    make('h3', { id: `type-${name}-name` }, name),
    ...prose(schema.description),
    ...(fields.length ? [fieldTable(fields)] : [make('p', {}, ...(schema.enum ? [schema.enum.join(' | ')] : shape(schema)))]));
}

function render() {
  const { info, paths, tags } = contract;
  document.title = `${info.title}: the API`;
  document.getElementById('title').textContent = info.title;
  document.getElementById('summary').textContent = `${info.summary} Version ${info.version}`;
  document.getElementById('about').append(...prose(info.description));
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [path, method, operation]));
  const routes = document.getElementById('routes');
  routes.replaceChildren();
  for (const tag of tags) {
    const operations = all.filter(([, , operation]) => operation.tags.includes(tag.name));
    document.getElementById('contents').append(...contents(tag, operations));
    routes.append(make('h2', {}, tag.description), ...operations.map((it) => route(...it)));
  }
  const types = Object.entries(contract.components.schemas);
  document.getElementById('contents').append(make('h2', {}, 'types'), make('ul', {}, make('li', {}, make('a', { href: '#types' }, 'All types'))));
  routes.append(make('h2', { id: 'types' }, 'What requests and answers are made of.'), ...types.map(namedType));
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

fetch('openapi.json')
  .then((response) => response.json())
  .then((document) => { contract = document; render(); })
  .catch((error) => { document.getElementById('loading').textContent = `The contract can't be read: ${error.message}`; });
