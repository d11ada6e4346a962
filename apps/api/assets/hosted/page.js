'use strict';
(() => {
  const byId = (id) => document.getElementById(id);
  const [status, alert, instructions, form, inputs, choices, options] = [
    'status',
    'alert',
    'instructions',
    'fields',
    'inputs',
    'choices',
    'options',
  ].map(byId);

  /** What the person reads while nothing is asked of them. */
  const steps = {
    DISCOVERING: 'Looking at the website…',
    SUBMITTING: 'Sending your answer…',
    AWAITING_INPUT: 'The website asks for this:',
    AWAITING_EXTERNAL_ACTION: 'Something has to be done elsewhere:',
  };
  const ends = {
    SUCCESS: 'You are logged in. You can close this page.',
    FAILED: 'The login did not work.',
    EXPIRED: 'The time for this login is over.',
    CANCELED: 'This login was canceled.',
  };
  /** How the browser should treat each kind of field: keyboard, password manager, codes from messages. */
  const kinds = {
    identifier: { type: 'text', autocomplete: 'username' },
    password: { type: 'password', autocomplete: 'current-password' },
    code: { type: 'text', autocomplete: 'one-time-code', inputmode: 'numeric' },
    totp_code: { type: 'text', autocomplete: 'one-time-code', inputmode: 'numeric' },
    totp_secret: { type: 'text', autocomplete: 'off' },
    text: { type: 'text', autocomplete: 'off' },
  };

  /** Beside the link that led here; its cookie goes nowhere else. */
  const flow = `flow/${document.body.dataset.flow}`;
  let interaction;
  let done = false;

  function make(tag, attributes, text) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function show(element, text) {
    element.textContent = text ?? '';
    element.hidden = text === undefined || text === '';
  }

  function busy(isBusy) {
    for (const button of document.querySelectorAll('button')) button.disabled = isBusy;
  }

  function inputFor(field, index) {
    const id = `field-${index}`;
    const kind = kinds[field.type];
    const label = field.label ?? field.ref;
    const [hint] = news(label, [field.hint]);
    const input = make('input', {
      id,
      name: field.id,
      type: kind.type,
      autocomplete: kind.autocomplete,
      inputmode: field.input_mode ?? kind.inputmode,
      autocapitalize: 'none',
      spellcheck: 'false',
      'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
      'aria-invalid': field.reason === 'rejected' ? 'true' : undefined,
    });
    input.required = field.required !== false;
    const parts = [make('label', { for: id }, label), input];
    if (hint !== undefined) parts.push(make('p', { id: `${id}-hint`, class: 'hint' }, hint));
    return parts;
  }

  /** What these texts say beyond a label: each once, and none that stands in another. */
  function news(label, texts) {
    const said = [label, ...texts.filter(Boolean)];
    const isSaid = (text, place) => said.some((other, at) => at !== place && other.includes(text) && (other !== text || at < place));
    return said.filter((text, place) => place > 0 && !isSaid(text, place));
  }

  function optionFor(choice) {
    const button = make('button', { type: 'button' }, choice.label);
    for (const text of news(choice.label, [choice.masked_destination, choice.description, choice.context]))
      button.append(make('span', {}, text));
    button.addEventListener('click', () => void send({ selected_choice_id: choice.id }));
    const item = make('li', {});
    item.append(button);
    return item;
  }

  /** A state that only changes texts keeps what was typed: its interaction is the same. */
  function ask(state) {
    const same = state.interaction_id !== undefined && state.interaction_id === interaction;
    interaction = state.interaction_id;
    const fields = state.fields ?? [];
    const offered = state.choices ?? [];
    if (!same) inputs.replaceChildren(...fields.flatMap(inputFor));
    options.replaceChildren(...offered.map(optionFor));
    form.hidden = fields.length === 0;
    choices.hidden = offered.length === 0;
    busy(false);
    if (same || interaction === undefined) return;
    (inputs.querySelector('input[aria-invalid]') ?? inputs.querySelector('input') ?? options.querySelector('button'))?.focus();
  }

  function render(state) {
    done = state.flow_status !== 'IN_PROGRESS';
    status.textContent = done ? ends[state.flow_status] : steps[state.flow_step];
    show(alert, state.website_error ?? state.error_message);
    show(instructions, state.external_action_message);
    ask(state);
    if (done) document.title = status.textContent;
  }

  async function send(answer) {
    busy(true);
    try {
      const response = await fetch(`${flow}/submit`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ interaction_id: interaction, ...answer }),
      });
      // The next state says what became of it; until then the answer must not be sent twice.
      if (response.ok) return;
      const { code, message } = await response.json();
      show(alert, code === 'stale_interaction' ? 'The website has moved on. Please look at what it asks now.' : message);
    } catch {
      show(alert, 'Your answer could not be sent. Please try again.');
    }
    busy(false);
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const empty = [...inputs.querySelectorAll('input')].find((input) => input.required && input.value === '');
    if (empty !== undefined) {
      show(alert, `Please fill in “${empty.labels[0].textContent}”.`);
      empty.focus();
      return;
    }
    void send({ field_values: Object.fromEntries(new FormData(form)) });
  });

  const source = new EventSource(`${flow}/events`);
  source.addEventListener('message', ({ data }) => {
    const event = JSON.parse(data);
    if (event.event === 'managed_auth_state') render(event);
    if (event.event === 'error') show(alert, event.error.message);
    if (done) source.close();
  });
  source.addEventListener('error', () => {
    if (done) return;
    status.textContent =
      source.readyState === EventSource.CLOSED ? 'The connection is lost. Please open the link again.' : 'Connecting again…';
  });
})();
