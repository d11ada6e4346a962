import { html, literal, type Html } from '../html.js';
import { card } from '../layout.js';
import { go, type Page, type Screen, type Visit } from '../screen.js';
import type { Session } from '../visitors.js';
import { fill } from '../words/index.js';

const tile = (title: string, text: string): Html => html`<section class="panel"><h3>${title}</h3><p>${text}</p></section>`;

/** The product page every scenario has at its root; `Sign in` is in the header. */
export function homePage(visit: Visit): Page {
  return {
    title: 'Savings that keep their head above water',
    layout: 'wide',
    body: html`<div class="hero"><div><h1>Savings that keep their head above water</h1>
      <p class="lead">Tidewater is a small savings bank on the west coast. One account, a clear rate, and people who answer the phone.</p>
      <p><a class="button plain" href="${visit.base}/about">See our rates</a></p></div>
      <section class="panel"><p class="muted">Easy saver</p><p class="balance">3.10&thinsp;%</p><p class="muted">Variable yearly rate. Take money out on any day, without notice.</p>
      <table><tr><td>One-year term</td><td>3.45 %</td></tr><tr><td>Two-year term</td><td>3.60 %</td></tr><tr><td>Business reserve</td><td>2.70 %</td></tr></table></section></div>
      <div class="tiles">${tile('Open in ten minutes', 'All you need is an identity card and a bank account in your own name.')}
      ${tile('Protected deposits', 'Your savings are covered by the national deposit guarantee.')}${tile('No small print', 'The rate on this page is the rate you get, for every amount.')}</div>`,
  };
}

export function aboutPage(): Page {
  return {
    title: 'About',
    layout: 'wide',
    body: html`<div class="account-head"><h1>About Tidewater</h1></div><section class="panel"><p>Founded in 1911 by eleven skippers, Tidewater still belongs to those who save with it.</p><p>Our rates change on the first working day of a month and are announced two weeks before.</p></section>`,
  };
}

// Written on every visit to the account page, so that a saved profile has something in each of the three stores.
const rememberDevice = ({ deviceKey, vaultKey }: Session): Html => html`
localStorage.setItem('tidewater.device', ${literal(deviceKey)});
const opening = indexedDB.open('tidewater', 1);
opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
opening.onsuccess = () => {
  const saving = opening.result.transaction('keys', 'readwrite');
  saving.objectStore('keys').put(${literal(vaultKey)}, 'vault');
  saving.oncomplete = () => { opening.result.close(); document.documentElement.dataset.device = 'remembered'; };
};`;

/** The private page: says who is logged in. */
export function accountPage(visit: Visit, session: Session): Page {
  const { account } = session;
  const { words } = visit;
  return {
    title: fill(words.welcome, { name: account.displayName }),
    layout: 'wide',
    body: html`<div class="account-head"><div><h1>${fill(words.welcome, { name: account.displayName })}</h1>
      <p id="signed-in-as" data-username="${account.username}">${words.signedInAs} <strong>${account.username}</strong></p></div>
      <a class="button plain" href="${visit.base}/vault">Documents</a></div>
      <div class="split"><section class="panel"><p class="muted">Easy saver</p><p class="balance">€ 12,480.35</p><p class="muted">3.10 % · available today</p></section>
      <section class="panel"><h2>Latest activity</h2><table><tr><td>Salary, North Pier Logistics</td><td>+ € 2,940.00</td></tr><tr><td>Transfer to current account</td><td>− € 650.00</td></tr>
      <tr><td>Interest for October</td><td>+ € 31.92</td></tr><tr><td>Standing order: holidays</td><td>− € 200.00</td></tr></table></section></div>`,
    script: rememberDevice(session),
  };
}

/** The private page variant that also wants localStorage and IndexedDB: only a browser with all three sees it. */
export function vaultPage(visit: Visit, session: Session): Page {
  return {
    title: 'Documents',
    layout: 'wide',
    body: html`<div class="account-head"><h1>Documents</h1></div><section class="panel" id="vault"><p class="waiting"><span class="spinner"></span>Checking this device…</p></section>`,
    script: html`
const show = (text, state) => { const panel = document.getElementById('vault'); panel.textContent = text; panel.dataset.state = state; };
const vaultKey = new Promise((resolve) => {
  const opening = indexedDB.open('tidewater', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
  opening.onerror = () => resolve(undefined);
  opening.onsuccess = () => { const reading = opening.result.transaction('keys').objectStore('keys').get('vault'); reading.onsuccess = () => { opening.result.close(); resolve(reading.result); }; };
});
vaultKey.then((vault) => fetch(${literal(`${visit.base}/vault.json`)}, { headers: { 'x-device-key': localStorage.getItem('tidewater.device') ?? '', 'x-vault-key': vault ?? '' } }))
  .then((answer) => answer.json())
  .then(({ known }) => known ? show(${literal(`Signed in as ${session.account.username} on a known device. No new documents.`)}, 'known') : show('We do not know this device. Sign in again to see your documents.', 'unknown'));`,
  };
}

const places = ['tides', 'moorings', 'crews', 'weather'];

/** An application behind its login that shows no way out, and is in no words that are known. */
export const boats: Screen = {
  step: 'boats',
  show: ({ session }) =>
    session === undefined
      ? go('login')
      : {
          title: 'Boats',
          layout: 'bare',
          body: html`<header><nav>${places.map((place) => html`<a href="${place}">${place}</a>`)}</nav></header>${card(
            html`<h1>Boats</h1><p class="lead" id="signed-in-as">One berth for <strong>${session.account.username}</strong>.</p>`,
          )}`,
        },
};
