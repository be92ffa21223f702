import { it } from 'vitest';
import { request as httpRequest } from 'node:http';
import { startTestServer } from '../../server/test-server.ts';
import { createTestInstance } from '../../support/test-instance.ts';
import { App, register } from '../app.ts';
import { Person } from '../person.ts';

it('probe', async () => {
  await using test = await createTestInstance();
  const server = await startTestServer(test);
  const b = server.baseUrl;
  const say = async (name: string, run: () => Promise<unknown>) => {
    try { const r = await run(); 
      const q = r as any; if (q?.headers?.get && typeof q.text==='function') console.log(name, q.status, q.headers.get('location'), q.headers.get('access-control-allow-origin'), q.headers.get('access-control-allow-headers'), (await q.text()).slice(0, 300).replaceAll('\n',' '));
      else console.log(name, JSON.stringify(r)?.slice(0,400)); } catch (e) { console.log(name, 'THREW', String(e)); }
  };
  const pre = { method: 'OPTIONS', headers: { Origin: 'https://inspector.example', 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' } };
  for (const p of ['/register','/token','/revoke','/introspect','/jwks','/.well-known/openid-configuration','/.well-known/oauth-protected-resource','/mcp']) {
    await say('preflight ' + p, () => fetch(b + p, pre));
  }
  await say('head meta', () => fetch(b + '/.well-known/openid-configuration', { method: 'HEAD' }));
  await say('meta', async () => (await fetch(b + '/.well-known/oauth-authorization-server')).json().then((x)=>{console.log(x); return 1;}));
  await say('register big', () => fetch(b + '/register', { method: 'POST', headers: {'content-type':'application/json', origin: 'https://x.example'}, body: JSON.stringify({ redirect_uris: ['https://a.example/' + 'x'.repeat(40000)] }) }));
  await say('register ok cors', () => fetch(b + '/register', { method: 'POST', headers: {'content-type':'application/json', origin: 'https://x.example'}, body: JSON.stringify({ redirect_uris: ['https://a.example/'] }) }));
  const cases: unknown[] = [[], 'x', 5, null, {redirect_uris: []}, {}, {redirect_uris:[{toString:1,valueOf:1}], application_type:'web'}, {redirect_uris:['https://u:p@a.example/cb']}, {redirect_uris:['https://claude.ai@evil.example/cb']},{redirect_uris:['https://*.example/cb']}, {redirect_uris:['http://evil.example/']}, {redirect_uris:['https://a.example/#f']},{redirect_uris:['https://a.example/#']}, {redirect_uris:['javascript:alert(1)']}, {redirect_uris:[' java\nscript:alert(1)']}, {redirect_uris:['/relative']}, {redirect_uris: Array.from({length:1000},(_, i)=>`https://a.co/${i}`)}, {redirect_uris:['https://a.example/\u0000']}, {redirect_uris:['https:\\\\a.example\\cb']}, {redirect_uris:['view-source:https://a.example']}, {redirect_uris:['filesystem:https://a.example/x']}, {redirect_uris:['intent://x#Intent;end']}, {redirect_uris:['https://localhost:3000/cb']}, {redirect_uris:['https://127.0.0.1/cb','cursor://x/y']}, {client_name:5, redirect_uris:['https://a.example/']}, {redirect_uris:['https://a.example/'], token_endpoint_auth_method:'private_key_jwt'}, {redirect_uris:['https://a.example/'], token_endpoint_auth_method:'private_key_jwt', jwks_uri:'https://chatgpt.com/jwks.json', token_endpoint_auth_signing_alg:'RS256'}, {redirect_uris:['https://a.example/'], token_endpoint_auth_method:'private_key_jwt', jwks_uri:'http://127.0.0.1/jwks.json'},{redirect_uris:['https://a.example/'], token_endpoint_auth_method:'client_secret_jwt'}, {redirect_uris:['https://a.example/'], grant_types:['client_credentials'], response_types:['token']}];
  const app = await App.register(b);
  await say('nul client', () => fetch(app.authorize({client_id: 'a\0b'}).url, {redirect:'manual'}));
  await say('nul client token', () => app.post('/token', {client_id: 'a\0b', grant_type:'authorization_code', code:'x'}));
  await say('nul client revoke', () => app.post('/revoke', {client_id: 'a\0b', token:'x'}));
  await say('nul code', () => app.post('/token', {grant_type:'authorization_code', code:'x\0', redirect_uri: app.redirect_uri}));
  await say('nul uid', () => fetch(b + '/authorize/%00', {redirect:'manual'}));
  await say('nul consent', () => fetch(b + '/consent/%00', {redirect:'manual'}));
  await say('nul signin', () => fetch(b + '/sign-in?return_to=/consent/%00', {redirect:'manual'}));
  await say('nul email', () => fetch(b + '/sign-in', {method:'POST', redirect:'manual', headers:{origin:b}, body:new URLSearchParams({email:'a\0@b.c', password:'x'})}));
  await say('nul link', () => fetch(b + '/password/%00', {redirect:'manual'}));
  await say('huge form', () => fetch(b + '/sign-in', {method:'POST', redirect:'manual', headers:{origin:b}, body:new URLSearchParams({email:'a'.repeat(300000), password:'x'})}));
  await say('authorize head', () => fetch(app.authorize().url, {method:'HEAD', redirect:'manual'}));
  await new Promise((r)=>setTimeout(r,100));
  await say('authorize post', () => fetch(app.authorize().url, {method:'POST', redirect:'manual'}));
  await say('authorize put', () => fetch(app.authorize().url, {method:'PUT', redirect:'manual'}));
  await say('token get', () => fetch(b + '/token'));
  await say('register get', () => fetch(b + '/register'));
  await say('bad redirect', () => fetch(app.authorize({redirect_uri:'https://evil.example'}).url, {redirect:'manual'}));
  await say('form_post err', () => fetch(app.authorize({response_mode:'form_post', response_type:'token'}).url, {redirect:'manual'}));
  await say('fragment err', () => fetch(app.authorize({response_mode:'fragment', response_type:'token'}).url, {redirect:'manual'}));
  await say('xss', () => fetch(app.authorize({response_mode:'<script>alert(1)</script>', redirect_uri: null}).url, {redirect:'manual'}));
  await say('ok', () => fetch(app.authorize().url, {redirect:'manual'}));
  await say('ok2', async () => (await fetch(app.authorize().url, {redirect:'manual'})).headers.getSetCookie());
  await say('huge token', () => app.post('/token', {grant_type:'authorization_code', code:'x'.repeat(100000)}));
  await say('json token', () => fetch(b + '/token', {method:'POST', headers:{'content-type':'application/json'}, body:'{}'}));
  await say('scope twice', async () => { const u = app.authorize().url; u.searchParams.append('scope','x'); return fetch(u,{redirect:'manual'}); });
  await say('uri twice', async () => { const u = app.authorize().url; u.searchParams.append('redirect_uri','https://evil.example'); return fetch(u,{redirect:'manual'}); });
  const person = await Person.join(test.instance.control, [await test.createBusiness()]);
  const one = app.authorize(), two = app.authorize();
  await say('two tabs', async () => {
    const c1 = await person.open(one.url); const c2 = await person.open(two.url);
    const f = new URLSearchParams({decision:'allow', businesses:'all'});
    const p1 = await person.browser.post(c1.url, f); const e1 = await person.browser.follow(p1, (u)=>u.origin!==c1.url.origin);
    const p2 = await person.browser.post(c2.url, f); const e2 = await person.browser.follow(p2, (u)=>u.origin!==c1.url.origin);
    return [String(e1.location), String(e2.location), e2.status, e2.text.slice(0,200)];
  });
  await say('two tabs interleaved', async () => {
    const one = app.authorize(), two = app.authorize();
    const c1 = await person.open(one.url); const c2 = await person.open(two.url);
    const f = new URLSearchParams({decision:'allow', businesses:'all'});
    const p1 = await person.browser.post(c1.url, f); 
    const p2 = await person.browser.post(c2.url, f); const e2 = await person.browser.follow(p2, (u)=>u.origin!==c1.url.origin);
    const e1 = await person.browser.follow(p1, (u)=>u.origin!==c1.url.origin);
    return [String(e1.location), String(e2.location), e2.status, e1.text.slice(0,200)];
  });
  await say('deny', async () => String(await person.deny(app.authorize().url)));
  const { body } = await register(b, { client_name: 'evil\0name\u202e', redirect_uris: ['https://a.example/'] });
  await say('nul name consent', async () => String(await person.allow(new App(b, String(body.client_id), 'https://a.example/').authorize().url)));
  for (const mode of ['fragment','form_post','query']) await say('mode ' + mode, async () => { 
    const c = await person.open(app.authorize({response_mode: mode}).url);
    const p = await person.browser.post(c.url, new URLSearchParams({decision:'allow', businesses:'all'}));
    const e = await person.browser.follow(p, (u)=>u.origin!==c.url.origin); return [e.status, String(e.location), e.headers.get('content-security-policy'), e.text.slice(0,500)]; });
  const raw = (path: string, headers: Record<string,string>) => new Promise<string>((resolve) => { const r = httpRequest({port: new URL(b).port, host:'127.0.0.1', path, headers}, (res) => { let t=''; res.on('data', (d)=>t+=d); res.on('end', ()=>resolve(`${res.statusCode} ${JSON.stringify(res.headers)} ${t.slice(0,300)}`)); }); r.end(); });
  for (const p of ['/.well-known/openid-configuration', '/', '/mcp', '/connections', app.authorize().url.pathname + app.authorize().url.search]) await say('host ' + p.slice(0,30), () => raw(p, {host:'evil.example', 'x-forwarded-host':'evil2.example', 'x-forwarded-proto':'https', forwarded:'host=evil3.example;proto=https', accept:'text/html'}));
  await server.stop();
});
