import { expect, it } from '@jest/globals';
import { mask } from '@berth/login-flow';
import { maskedAddress } from './masked-address.js';

it.each([
  ['https://zabbix.example/zabbix.php?action=view', 'zabbix', 'https://zabbix.example/••••.php?action=view'],
  ['https://site.example/zabbix/start', 'zabbix', 'https://site.example/••••/start'],
  ['https://site.example/home?key=hunter-two#hunter-two', 'hunter-two', 'https://site.example/home?key=••••#••••'],
  ['https://site.example/verify-135791/done', '135791', 'https://site.example/verify-••••/done'],
])('D45: of %s, %s is masked where it could be read as the secret', (address, secret, shown) => {
  expect(maskedAddress(address, (text) => mask(text, [secret]))).toBe(shown);
});
