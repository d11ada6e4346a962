import { plain } from '../lexicon/words.js';
import type { ControlSnapshot } from '../snapshot.js';

/** Identity providers known by name: a button that says no more than the name is one too. */
const PROVIDERS: Readonly<Record<string, readonly string[]>> = {
  Google: ['google', 'gmail', 'google account', '谷歌'],
  Apple: ['apple'],
  Facebook: ['facebook', 'meta'],
  Microsoft: [
    'microsoft',
    'office 365',
    'office365',
    'azure',
    'azure ad',
    'outlook',
    'microsoft 365',
    'entra id',
    'microsoft entra',
    'windows live',
  ],
  GitHub: ['github'],
  GitLab: ['gitlab'],
  Bitbucket: ['bitbucket'],
  LinkedIn: ['linkedin'],
  X: ['twitter', 'x twitter', 'x'],
  Amazon: ['amazon'],
  Yahoo: ['yahoo', 'ヤフー', 'yahoo japan'],
  Slack: ['slack'],
  Discord: ['discord'],
  Twitch: ['twitch'],
  Spotify: ['spotify'],
  Steam: ['steam'],
  PayPal: ['paypal'],
  Instagram: ['instagram'],
  Okta: ['okta'],
  OneLogin: ['onelogin'],
  Auth0: ['auth0'],
  Keycloak: ['keycloak'],
  Salesforce: ['salesforce'],
  Dropbox: ['dropbox'],
  Atlassian: ['atlassian'],
  Zoom: ['zoom'],
  Shopify: ['shopify', 'shop pay'],
  Xing: ['xing'],
  WordPress: ['wordpress', 'wordpress com'],
  LINE: ['line'],
  Kakao: ['kakao', 'kakaotalk', '카카오', '카카오톡', '카카오계정'],
  Naver: ['naver', '네이버'],
  WeChat: ['wechat', 'weixin', '微信'],
  QQ: ['qq'],
  Weibo: ['weibo', '微博', '新浪微博'],
  Alipay: ['alipay', '支付宝'],
  DingTalk: ['dingtalk', '钉钉'],
  Baidu: ['baidu', '百度'],
  Rakuten: ['rakuten', '楽天'],
  'd ACCOUNT': ['dアカウント', 'd account'],
  VK: ['vk', 'vkontakte', 'vk id', 'вконтакте', 'вк'],
  Yandex: ['yandex', 'яндекс', 'яндекс id', 'yandex id'],
  'Mail.ru': ['mail ru', 'мail ru'],
  OK: ['odnoklassniki', 'одноклассники'],
  Sber: ['sber', 'сбер', 'сбер id', 'sber id', 'sberid'],
  Gosuslugi: ['gosuslugi', 'госуслуги'],
  BankID: ['bankid', 'bank id'],
  itsme: ['itsme'],
  DigiD: ['digid'],
  eHerkenning: ['eherkenning'],
  FranceConnect: ['franceconnect'],
  SPID: ['spid'],
  CIE: ['cie'],
  'gov.br': ['gov br'],
  ORCID: ['orcid'],
  eduGAIN: ['edugain'],
  Shibboleth: ['shibboleth'],
  SURFconext: ['surfconext'],
  Clever: ['clever'],
  ClassLink: ['classlink'],
  Evernote: ['evernote'],
  Notion: ['notion'],
  Figma: ['figma'],
  Reddit: ['reddit'],
  TikTok: ['tiktok'],
  Strava: ['strava'],
  Garmin: ['garmin'],
  Roblox: ['roblox'],
  PlayStation: ['playstation', 'psn', 'playstation network'],
  Xbox: ['xbox'],
  Nintendo: ['nintendo'],
  'Epic Games': ['epic games', 'epic'],
  Gitea: ['gitea'],
  Authentik: ['authentik'],
  Authelia: ['authelia'],
  Casdoor: ['casdoor'],
  Zitadel: ['zitadel'],
  Kinde: ['kinde'],
};

const BY_NAME = new Map(Object.entries(PROVIDERS).flatMap(([provider, names]) => names.map((name) => [plain(name), provider] as const)));
/** Names that are words of their own: only together with "sign in with" or alone on a button near a login. */
const AMBIGUOUS = new Set([
  'x',
  'line',
  'ok',
  'meta',
  'steam',
  'slack',
  'zoom',
  'clever',
  'apple',
  'epic',
  'notion',
  'cie',
  'amazon',
  'outlook',
  'azure',
  'shopify',
  'xbox',
]);
const LONG = [...BY_NAME.keys()].filter((name) => !AMBIGUOUS.has(name)).sort((a, b) => b.length - a.length);
const WIDE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;

/** Provider that is all of a text. */
export function providerNamed(text: string): string | null {
  return BY_NAME.get(plain(text)) ?? null;
}

/** Provider mentioned in a text. `withAmbiguous` where the text already says it is about signing in with someone. */
export function providerIn(text: string, withAmbiguous: boolean): string | null {
  const clean = plain(text);
  const names = withAmbiguous ? [...LONG, ...AMBIGUOUS] : LONG;
  const found = names.find((name) =>
    WIDE.test(name) ? clean.replaceAll(' ', '').includes(name) : ` ${clean} `.includes(` ${name} `) || glued(clean, name),
  );
  return found ? (BY_NAME.get(found) ?? null) : null;
}

/** Provider that a picture shows, by the names of its files, of a link that has no words and leads to a login. */
export function providerPictured({ text, aria, title, icon, href }: ControlSnapshot): string | null {
  if (text !== '' || aria !== '' || title !== '') return null;
  return providerIn(icon, SIGN_IN_PATH.test(href) || SIGN_IN_PATH.test(icon));
}
const SIGN_IN_PATH = /oauth|sso|auth|log_?in|sign_?in/i;

/** `Googleでログイン`, `구글` and friends: a Latin name directly followed by a script without spaces. */
function glued(clean: string, name: string): boolean {
  const at = clean.indexOf(name);
  if (at < 0) return false;
  const [before, after] = [clean[at - 1] ?? ' ', clean[at + name.length] ?? ' '];
  return (before === ' ' || WIDE.test(before)) && (after === ' ' || WIDE.test(after));
}
