import { type Case, type Line, line, lines } from './cases.ts';

const POD = (name: string, labels: string, cpu: string): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}, labels: {${labels}}, annotations: {note: "a <b> & 'c'"}}
spec:
  # The name of the volume of a token is chance.
  automountServiceAccountToken: false
  containers:
  - {name: a, image: "web:1", resources: {requests: {cpu: ${cpu}, memory: 1Gi}}, ports: [{containerPort: 80}, {containerPort: 443}]}
  - {name: b, image: "cache:7", env: [{name: X, value: "1"}, {name: Z}]}
`;

/** Texts that a reader of YAML would take for something else, and texts that are hard to lay out. */
const TEXTS = `
apiVersion: v1
kind: ConfigMap
metadata: {name: texts, labels: {of: texts}}
data:
  answer: "y"
  nothing: "null"
  exponent: "1e3"
  hexadecimal: "0x1"
  octal: "010"
  time: "2026-01-01T00:00:00Z"
  clock: "12:30:45"
  lines: "one\\ntwo\\n"
  no-end: "one\\ntwo"
  blank-lines: "one\\n\\n\\n"
  indented: "  one\\ntwo"
  space-at-end: "one \\ntwo"
  spaces: "  "
  tab: "a\\tb"
  list: "- a"
  pair: "a: b"
  comment: "a #b"
  quotes: "it's \\"quoted\\""
  unicode: "日本 é"
  emoji: "😀"
  empty: ""
  markup: "<a href=\\"b\\">&</a>"
  long: "${'words that are folded at the end of a line '.repeat(6)}"
  key10: a
  key9: b
`;

const OBJECTS = {
  'pods.yaml': `${POD('web-1', 'app: web, tier: front', '100m')}---${POD('web-2', 'app: web', '2')}---${POD('other', 'app: other', '1')}`,
  'texts.yaml': TEXTS,
  'deployment.yaml': `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 0
  selector: {matchLabels: {app: d}}
  template: {metadata: {labels: {app: d}}, spec: {containers: [{name: c, image: i}]}}
`,
  'names.template': '{{range .items}}{{.metadata.name}}{{"\\n"}}{{end}}',
  'names.jsonpath': '{.items[*].metadata.name}',
  'columns.txt': 'NAME            IMAGES\nmetadata.name   spec.containers[*].image\n',
};

const MADE = ['pods', 'texts', 'deployment'].map((name) =>
  line(`create -f ${name}.yaml`, {
    differs: 'the names of programs are in the annotations of neither; not what is held here',
  }),
);

/** Lines about objects that are there already. */
const about = (name: string, ...texts: readonly (string | Line)[]): Case => ({
  name,
  files: OBJECTS,
  lines: [...MADE, ...texts.map((text) => (typeof text === 'string' ? line(text) : text))],
});

/** Earlier releases print the managers of fields unasked. */
const managedSince = (one: Case): Case => ({ ...one, sinceMinor: 21 });

const TEMPLATES_OF_PATHS = about(
  'templates of paths',
  "get pods -o jsonpath='{.items[*].metadata.name}'",
  'get pods -o jsonpath=\'{range .items[*]}{.metadata.name}{"\\t"}{.spec.containers[*].image}{"\\n"}{end}\'',
  'get pods -o jsonpath=\'{range .items[*]}{.metadata.name}: {range .spec.containers[*]}[{.name}]{end}{"\\n"}{end}done\'',
  'get pod web-1 -o jsonpath=\'{.spec.containers[?(@.name=="b")].image}\'',
  "get pod web-1 -o jsonpath='{.spec.containers[0].ports[?(@.containerPort>100)].containerPort}'",
  "get pod web-1 -o jsonpath='{.spec.containers[-1].name} {.spec.containers[0:1].name} {.spec.containers[0,1].name}'",
  'get pod web-1 -o jsonpath=\'{.spec.containers[?(@.env)].name} {.spec.containers[?(@.name!="b")].name}\'',
  "get pod web-1 -o jsonpath='{.metadata.labels} {.spec.containers[0].ports}'",
  "get pod web-1 -o jsonpath='{.metadata.annotations}'",
  "get pod web-1 -o jsonpath='{..containerPort}'",
  'get pod web-1 -o jsonpath=\'{$.kind} {@.kind} {.kind} {"a\\"b"} text {.none}\'',
  "get pod web-1 -o jsonpath='{.spec.containers[::2].name}{.spec.containers[:1].name}'",
  "get pod web-1 -o jsonpath='{.spec.terminationGracePeriodSeconds}{.spec.enableServiceLinks}{.spec.none}'",
  "get pod web-1 -o jsonpath-as-json='{.spec.containers[*].name}'",
  'get pods -o jsonpath-file=names.jsonpath',
  "get pod web-1 -o jsonpath='{.a[}'",
  "get pod web-1 -o jsonpath='{.a[x]}'",
  "get pod web-1 -o jsonpath='{.a'",
  'get pod web-1 -o jsonpath',
  'get pod web-1 -o jsonpath-file=none',
);

const TEMPLATES = about(
  'templates',
  'get pods -o go-template=\'{{range .items}}{{.metadata.name}}{{"\\n"}}{{end}}\'',
  "get pod web-1 -o go-template='{{range $i, $c := .spec.containers}}{{$i}}={{$c.name}} {{end}}'",
  "get pod web-1 -o go-template='{{with .metadata}}{{.name}}{{end}}{{if .nope}}a{{else if .kind}}b{{else}}c{{end}}'",
  'get pod web-1 -o go-template=\'{{len .spec.containers}} {{index .spec.containers 1 "name"}} {{printf "%s-%d|%5s|%-5s|%q" .kind 5 "a" "b" "c"}}\'',
  "get pod web-1 -o go-template='{{.metadata.labels}} {{.spec.containers}} {{.none}}'",
  'get pod web-1 -o go-template=\'{{define "x"}}<{{.}}>{{end}}{{template "x" .kind}}{{block "y" .}}{{.kind}}{{end}}\'',
  'get pod web-1 -o go-template=\'{{eq .kind "Pod" | not}} {{and .kind .none}} {{or .none "x"}} {{ne 1 2}} {{lt 1 2}} {{le 2 2}} {{gt 1.5 1.2}}\'',
  'get pod web-1 -o go-template=\'{{- /* c */ -}}  a {{- "b" -}}  c {{$x := 1}}{{$x = 2}}{{$x}}\'',
  "get pod web-1 -o go-template='{{html .metadata.annotations.note}} {{js .metadata.annotations.note}} {{urlquery .metadata.annotations.note}}'",
  'get pod web-1 -o go-template=\'{{exists . "metadata" "name"}} {{exists . "a"}} {{base64decode "YWI="}}\'',
  "get pod web-1 -o go-template='{{range .metadata.labels}}{{.}};{{end}}{{range $k,$v := .metadata.labels}}{{$k}}:{{$v}},{{end}}'",
  'get pod web-1 -o go-template=\'{{print 1 2 "a" "b" 3}} {{println "x" 1}}{{slice "hello" 1 3}}\'',
  'get pods -o go-template-file=names.template',
  "get pods --template='{{.kind}}'",
  "get pod web-1 -o go-template='{{nofunc}}'",
  "get pod web-1 -o go-template='{{if .a}}'",
  "get pod web-1 -o go-template='{{.a'",
  "get pod web-1 -o go-template='{{.a}} {{$x}}'",
  'get pod web-1 -o template',
);

export const READING_CASES: readonly Case[] = [
  lines(
    'what is served',
    'api-versions',
    'api-resources --api-group=apps',
    'api-resources -o name --verbs=list,get --sort-by=name',
    'api-resources --namespaced=false --no-headers',
    'api-resources --sort-by=kind',
    'api-resources --sort-by=age',
    'api-resources -o json',
  ),
  {
    ...lines('the plane', 'api-resources -o wide', 'api-resources --namespaced=true -o wide'),
    // Earlier ones show verbs otherwise, and no categories.
    sinceMinor: 27,
  },
  // Earlier ones colour it, also where nobody looks.
  { ...lines('where the plane is', 'cluster-info'), sinceMinor: 32 },
  about(
    'tables',
    'get pods',
    'get pods -o wide',
    'get pods --no-headers',
    'get pods --show-labels',
    'get pods -L tier,app',
    'get pods --show-kind',
    'get pods web-1',
    'get pods web-2 web-1 web-2',
    'get pods -l app=web',
    "get pods -l 'app in (web),tier'",
    'get pods --field-selector=metadata.name=web-1',
    'get pods --chunk-size=1',
    'get pods --sort-by=.metadata.name',
    'get deploy,pods,cm',
    'get deploy,pods --no-headers',
    'get deploy/web pod/web-1 cm/texts',
    'get all',
    'get -f pods.yaml',
    'get deployments.v1.apps',
    'get Deployment web',
  ),
  {
    ...about(
      'amounts and parts',
      "get pods --sort-by='{.spec.containers[0].resources.requests.cpu}'",
      'get deploy web --subresource=scale',
      'get deploy web --subresource=scale -o yaml',
      'get -f none.yaml',
    ),
    sinceMinor: 27,
  },
  // Earlier ones know a few parts, and say themselves that it is none of these.
  { ...about('a part that there is not', 'get pod web-1 --subresource=nonsense'), sinceMinor: 32 },
  managedSince(
    about(
      'documents',
      'get pod web-1 -o json',
      'get pod web-1 -o yaml',
      'get pods -o json',
      'get pods -o yaml',
      'get deploy,pods -o yaml',
      'get deploy web -o yaml --show-managed-fields',
      'get cm texts -o yaml',
      'get cm texts -o json',
      'get -f deployment.yaml -o json',
      'get -f pods.yaml -o yaml',
      'get pods -l app=none -o json',
      'get ns default -o yaml',
    ),
  ),
  about(
    'names and columns',
    'get pods -o name',
    'get deploy,pods,cm -o name',
    'get deploy/web pod/web-1 -o name',
    'get pods --sort-by=.metadata.labels.app -o name',
    'get pods -o custom-columns=NAME:.metadata.name,IMAGES:.spec.containers[*].image,R:.spec.containers[0].resources.requests',
    "get pods -o custom-columns='NAME:metadata.name,X:{.metadata.labels.tier}' --no-headers",
    'get pod web-1 -o custom-columns=N:.metadata.name,T:.spec.terminationGracePeriodSeconds,NONE:.a.b',
    'get pods -o custom-columns-file=columns.txt',
    'get pods -o custom-columns=A',
    'get pods -o custom-columns',
  ),
  TEMPLATES_OF_PATHS,
  TEMPLATES,
  {
    ...about(
      'what is not there',
      'get',
      'get nonsense',
      'get pods none',
      'get pods none --ignore-not-found',
      'get pods none -o json',
      'get pods none --ignore-not-found -o json',
      'get pods none web-1 nothing',
      'get pod/none deploy/web',
      'get jobs',
      'get jobs -A',
      'get pods,nonsense',
      'get pods -l a=,=',
      'get pods --field-selector=a=b',
      'get pods web-1 -A',
      'get pods web-1 -l a=b',
      'get pods -o nonsense',
      line('get pods --nonsense', { differs: 'releases begin the message with a capital letter, or not' }),
      'get pods pod/web-1',
      line('get -f none.yaml', { differs: 'earlier releases add where help is' }),
      'get pods --output-watch-events',
      'get pods,cm -w',
      'get --raw /nonsense',
      'get --raw /version pods',
    ),
    // Earlier releases add where help is.
    sinceMinor: 21,
  },
  lines('paths', 'get --raw /api/v1/namespaces/default', 'get --raw /version'),
  {
    ...lines(
      'explanations',
      'explain pods',
      'explain pods.spec.containers.ports',
      'explain pods.spec.restartPolicy',
      'explain pods.metadata.labels',
      'explain deployments --recursive',
      'explain deploy.spec.strategy.rollingUpdate.maxSurge',
      'explain hpa --api-version=autoscaling/v1',
      'explain hpa --api-version=nonsense/v1',
      'explain deployments.apps.spec.paused',
      'explain customresourcedefinitions --recursive',
      'explain pods.nonsense',
    ),
    // Before it there were other explanations, of the former format of schemas.
    sinceMinor: 32,
  },
];
