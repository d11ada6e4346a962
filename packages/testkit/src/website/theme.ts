/** The one style sheet of the site, served at `/_assets/site.css`. System fonts only: nothing is fetched from elsewhere. */
export const styleSheet = `
:root { --ink: #10243a; --soft: #56697d; --line: #d9e1e8; --wash: #f3f6f9; --sea: #0b6477; --sea-deep: #084c5b; --foam: #e4f2f4; --alert: #a3262a; --alert-wash: #fdf0ef; --radius: 10px; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { color-scheme: light; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--wash); color: var(--ink); font: 16px/1.55 Inter, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif; }
a { color: var(--sea); }
h1, h2, h3 { line-height: 1.2; margin: 0 0 .5em; letter-spacing: -.01em; }
h1 { font-size: 1.65rem; } h2 { font-size: 1.25rem; } h3 { font-size: 1.02rem; }
p { margin: 0 0 1em; }
.top { background: #fff; border-bottom: 1px solid var(--line); }
.top .row { max-width: 1080px; margin: 0 auto; padding: 0 24px; height: 68px; display: flex; align-items: center; gap: 28px; }
.brand { display: inline-flex; align-items: center; gap: 10px; font-weight: 700; font-size: 1.16rem; color: var(--ink); text-decoration: none; letter-spacing: -.02em; }
.brand svg { width: 30px; height: 30px; display: block; }
.top nav { display: flex; gap: 22px; margin-right: auto; }
.top nav a { color: var(--soft); text-decoration: none; font-size: .95rem; }
.top nav a:hover { color: var(--ink); }
main { flex: 1; width: 100%; }
main.card-layout { display: flex; flex-direction: column; align-items: center; padding: 56px 20px 72px; }
main.wide-layout { max-width: 1080px; margin: 0 auto; padding: 0 24px 72px; }
.card { background: #fff; border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 10px 30px rgba(16, 36, 58, .07); padding: 36px 36px 32px; width: 100%; max-width: 428px; }
.card > h1 { margin-bottom: .35em; }
.lead { color: var(--soft); margin-bottom: 1.4em; }
.below { margin-top: 22px; color: var(--soft); font-size: .94rem; text-align: center; }
label { display: block; font-weight: 600; font-size: .92rem; margin: 0 0 6px; }
input:not([type=checkbox]):not([type=radio]):not([type=hidden]), select { width: 100%; height: 46px; padding: 0 14px; font: inherit; color: inherit; background: #fff; border: 1px solid #b9c6d2; border-radius: var(--radius); margin-bottom: 18px; }
input:focus, select:focus, button:focus-visible, a:focus-visible { outline: 3px solid #9fd3dc; outline-offset: 1px; border-color: var(--sea); }
.invalid input:not([type=hidden]) { border-color: var(--alert); }
.check { display: flex; gap: 10px; align-items: center; font-weight: 400; margin-bottom: 18px; }
.button, button { appearance: none; display: inline-flex; align-items: center; justify-content: center; gap: 10px; min-height: 46px; padding: 0 22px; border: 1px solid transparent; border-radius: var(--radius); background: var(--sea); color: #fff; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
.button:hover, button:hover { background: var(--sea-deep); }
.button.small, button.small { min-height: 38px; padding: 0 16px; font-size: .94rem; }
.button.plain, button.plain { background: #fff; color: var(--ink); border-color: #b9c6d2; }
.button.plain:hover, button.plain:hover { background: var(--wash); }
.button.text, button.text { background: none; color: var(--sea); min-height: 0; padding: 4px; font-weight: 500; border: 0; text-decoration: underline; }
.full { width: 100%; }
.stack > * + * { margin-top: 12px; }
.between { display: flex; justify-content: space-between; align-items: center; gap: 12px; margin-bottom: 18px; font-size: .92rem; }
.or { display: flex; align-items: center; gap: 14px; color: var(--soft); font-size: .88rem; margin: 20px 0; }
.or::before, .or::after { content: ""; flex: 1; height: 1px; background: var(--line); }
.error { display: block; background: var(--alert-wash); border: 1px solid #efc4c2; color: var(--alert); border-radius: var(--radius); padding: 11px 14px; margin-bottom: 18px; font-size: .94rem; }
.person { margin-top: 14px; display: flex; align-items: center; gap: 10px; border: 1px solid var(--line); border-radius: 999px; padding: 5px 14px 5px 6px; width: fit-content; margin-bottom: 20px; font-size: .92rem; }
.face { display: inline-grid; place-items: center; flex: none; width: 32px; height: 32px; border-radius: 50%; background: var(--foam); color: var(--sea-deep); font-weight: 700; font-size: .84rem; }
.options { list-style: none; padding: 0; margin: 0 0 8px; }
.options li + li { margin-top: 10px; }
.option { display: flex; align-items: center; justify-content: flex-start; gap: 14px; width: 100%; min-height: 62px; padding: 10px 16px; text-align: left; background: #fff; color: var(--ink); border: 1px solid var(--line); border-radius: var(--radius); text-decoration: none; font-weight: 400; cursor: pointer; }
.option:hover { background: var(--foam); border-color: #9fd3dc; }
.option b, .option small { display: block; }
.option small { color: var(--soft); font-size: .88rem; }
.option input { margin: 0; }
.boxes { display: flex; gap: 10px; margin-bottom: 20px; }
.boxes input:not([type=hidden]) { flex: 1; min-width: 0; padding: 0 !important; margin: 0 !important; text-align: center; font-size: 1.25rem; font-weight: 600; height: 54px !important; }
.big-number { font-size: 3rem; font-weight: 700; text-align: center; margin: 8px 0 16px; letter-spacing: .04em; }
.waiting { display: flex; gap: 12px; align-items: center; color: var(--soft); }
.spinner { width: 20px; height: 20px; border: 3px solid var(--line); border-top-color: var(--sea); border-radius: 50%; animation: turn .9s linear infinite; }
@keyframes turn { to { transform: rotate(360deg); } }
.hero { display: grid; grid-template-columns: 1.1fr .9fr; gap: 56px; align-items: center; padding: 72px 0 64px; }
.hero h1 { font-size: 2.7rem; letter-spacing: -.03em; }
.hero .lead { font-size: 1.12rem; max-width: 34em; }
.panel { background: #fff; border: 1px solid var(--line); border-radius: 14px; padding: 26px; }
.tiles { display: grid; grid-template-columns: repeat(3, 1fr); gap: 22px; }
.tiles .panel p { color: var(--soft); margin: 0; font-size: .96rem; }
.account-head { display: flex; justify-content: space-between; align-items: flex-end; gap: 20px; padding: 44px 0 26px; }
.account-head p { margin: 0; color: var(--soft); }
.balance { font-size: 2.3rem; font-weight: 700; letter-spacing: -.02em; margin: 4px 0 2px; font-variant-numeric: tabular-nums; }
.muted { color: var(--soft); font-size: .92rem; }
.split { display: grid; grid-template-columns: .8fr 1.2fr; gap: 22px; align-items: start; }
table { width: 100%; border-collapse: collapse; font-size: .96rem; }
td { padding: 11px 0; border-top: 1px solid var(--line); }
tr:first-child td { border-top: 0; }
td:last-child { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.foot { border-top: 1px solid var(--line); background: #fff; color: var(--soft); font-size: .88rem; }
.foot .row { max-width: 1080px; margin: 0 auto; padding: 20px 24px; display: flex; gap: 24px; flex-wrap: wrap; }
.foot a { color: inherit; }
.shade { position: fixed; inset: 0; background: rgba(16, 36, 58, .5); display: grid; place-items: center; z-index: 20; padding: 20px; }
.cookie-wall { position: fixed; inset: 0; z-index: 30; background: rgba(16, 36, 58, .45); display: flex; align-items: flex-end; }
.cookie-wall section { background: #fff; width: 100%; padding: 26px 32px; display: flex; gap: 24px; align-items: center; justify-content: space-between; }
.cookie-wall p { margin: 0; max-width: 62em; }
.cookie-wall div { display: flex; gap: 10px; flex: none; }
.challenge { border: 1px solid #b9c6d2; border-radius: 4px; background: #f9f9f9; width: 304px; height: 78px; display: flex; align-items: center; gap: 14px; padding: 0 14px; margin: 0 0 18px; }
.challenge .tick { width: 28px; height: 28px; border: 2px solid #b0bac4; border-radius: 3px; background: #fff; }
.frame { width: 100%; height: 380px; border: 0; display: block; }
.far-away { position: absolute; left: -9999px; top: auto; width: 1px; height: 1px; overflow: hidden; }
@media (max-width: 760px) { .hero, .tiles, .split { grid-template-columns: 1fr; gap: 24px; } .hero h1 { font-size: 2rem; } .top nav { display: none; } .card { padding: 28px 22px; } }
`;
