/**
 * Run with --expose-gc: sends requests of much text of which little is stored, and prints how many bytes each leaves behind.
 * Arguments: a token file that knows the token `admin`.
 */
import { startServer } from '../../dist/index.js';

const [, , tokenAuthFile] = process.argv;
const TIMES = 40;
const MUCH = 'z'.repeat(500_000);
const LONG = 'z'.repeat(50_000);
const NAMESPACE = 'a-namespace-with-a-long-name';
const MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

const server = await startServer({ storage: 'memory', port: 0, tokenAuthFile });

async function send(method, target, body, type) {
  const headers = {
    authorization: 'Bearer admin',
    'content-type': type,
    'user-agent': `an-agent-with-a-long-name/${LONG}`,
  };
  const { status, body: answer } = await server.inject({
    method,
    target: `${target}?pretty=${LONG}&fieldManager=a-manager-with-a-long-name`,
    headers,
    body,
  });
  if (status >= 300) throw new Error(`${status} ${answer}`);
}

const JSON_TYPE = 'application/json';
const named = (at) => `an-object-with-a-long-name-${at}`;
const labels = (at) => `{app: a-label-with-a-long-value-${at}}`;

const FORMS = {
  'JSON, with a field that is dropped': (at) =>
    send('POST', MAPS, JSON.stringify({ metadata: { name: named(at) }, unknown: MUCH }), JSON_TYPE),
  'YAML, with a comment': (at) =>
    send('POST', MAPS, `# ${MUCH}\nmetadata: {name: ${named(at)}, labels: ${labels(at)}}\n`, 'application/yaml'),
  'an applied document': async (at) => {
    for (const value of ['a-value-that-is-long', 'another-value-that-is-long']) {
      const text = `# ${MUCH}\napiVersion: v1\nkind: ConfigMap\nmetadata: {labels: ${labels(at)}}\ndata: {k: ${value}}\n`;
      await send('PATCH', `${MAPS}/${named(at)}`, text, 'application/apply-patch+yaml');
    }
  },
  'a patch': async (at) => {
    await send('POST', MAPS, JSON.stringify({ metadata: { name: named(at) } }), JSON_TYPE);
    const patch = { metadata: { labels: { app: named(at) } }, unknown: MUCH };
    await send('PATCH', `${MAPS}/${named(at)}`, JSON.stringify(patch), 'application/merge-patch+json');
  },
  'an update': async (at) => {
    await send('POST', MAPS, JSON.stringify({ metadata: { name: named(at) } }), JSON_TYPE);
    const document = { metadata: { name: named(at) }, data: { a: 'b' }, unknown: MUCH };
    await send('PUT', `${MAPS}/${named(at)}`, JSON.stringify(document), JSON_TYPE);
  },
};

function used() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

await send('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: NAMESPACE } }), JSON_TYPE);
let at = 0;
const kept = {};
for (const [name, form] of Object.entries(FORMS)) {
  await form(at++);
  const before = used();
  for (let times = 0; times < TIMES; times++) await form(at++);
  kept[name] = Math.round((used() - before) / TIMES);
}
console.log(JSON.stringify(kept));
await server.close();
