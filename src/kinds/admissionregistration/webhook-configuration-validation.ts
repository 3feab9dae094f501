import { distinct, named, oneOf, seenBefore } from '../../meta/field-rules.ts';
import { dns1035Label, fullyQualifiedName } from '../../meta/formats.ts';
import { validateLabelSelector } from '../../meta/label-selector-validation.ts';
import type { Steps } from '../../runtime/pacing.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { sameValue } from '../../schema/same-value.ts';
import { validateClientConfig } from './client-config-validation.ts';
import type { MutatingWebhookConfiguration } from './mutating-webhook-configuration.ts';
import { compileWebhookConditions } from './policy/policy-compiler.ts';
import { validateMatchConditions, validateTotalLength } from './policy/policy-fields.ts';
import { validateRule } from './rule-validation.ts';
import type { ValidatingWebhook, ValidatingWebhookConfiguration } from './validating-webhook-configuration.ts';

type WebhookConfiguration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

const WEBHOOKS = Path.of('webhooks');

export function validateValidatingWebhookConfiguration(
  { webhooks }: ValidatingWebhookConfiguration,
  problems: Problems,
): void {
  validateWebhooks(webhooks ?? [], problems);
}

const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];

export function validateMutatingWebhookConfiguration(
  { webhooks }: MutatingWebhookConfiguration,
  problems: Problems,
): void {
  validateWebhooks(webhooks ?? [], problems);
  webhooks?.forEach(({ reinvocationPolicy }, at) => {
    oneOf(problems, WEBHOOKS.index(at), 'reinvocationPolicy', reinvocationPolicy, REINVOCATION_POLICIES);
  });
}

function validateWebhooks(webhooks: readonly ValidatingWebhook[], problems: Problems): void {
  const names = webhooks.map(({ name }) => name);
  distinct(problems, WEBHOOKS, 'name', names);
  webhooks.forEach((webhook, at) => {
    validateWebhook(webhook, WEBHOOKS.index(at), problems);
  });
}

/** Conditions that do not compile. Of a configuration that has no other problem, and that is not what it was before. */
export function* validateWebhookConditions(
  configuration: WebhookConfiguration,
  old: WebhookConfiguration | undefined,
  problems: Problems,
): Steps<void> {
  const { webhooks = [] } = configuration;
  const conditions = webhooks.flatMap(({ matchConditions = [] }) => matchConditions);
  if (conditions.length === 0 || problems.count > 0 || (old && sameValue(webhooks, old.webhooks))) return;
  const texts = conditions.map(({ expression }) => expression);
  validateTotalLength(texts, WEBHOOKS, problems);
  if (problems.count > 0) return;
  yield* compileWebhookConditions(configuration, (path, source, problem) => problems.invalid(path, source, problem));
}

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const MATCH_POLICIES = ['Equivalent', 'Exact'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const LONGEST_TIMEOUT = 30;

function validateWebhook(webhook: ValidatingWebhook, path: Path, problems: Problems): void {
  const { sideEffects, timeoutSeconds: timeout } = webhook;
  named(problems, path, 'name', webhook.name, fullyQualifiedName);
  webhook.rules?.forEach((rule, at) => {
    validateRule(rule, path.child('rules').index(at), problems);
  });
  oneOf(problems, path, 'failurePolicy', webhook.failurePolicy, FAILURE_POLICIES);
  oneOf(problems, path, 'matchPolicy', webhook.matchPolicy, MATCH_POLICIES);
  if (sideEffects === null)
    problems.required(path.child('sideEffects'), `must specify one of ${SIDE_EFFECTS.join(', ')}`);
  oneOf(problems, path, 'sideEffects', sideEffects, SIDE_EFFECTS);
  if (timeout !== undefined && (timeout < 1 || timeout > LONGEST_TIMEOUT)) {
    const rule = `the timeout value must be between 1 and ${LONGEST_TIMEOUT} seconds`;
    problems.invalid(path.child('timeoutSeconds'), timeout, rule);
  }
  validateLabelSelector(webhook.namespaceSelector, path.child('namespaceSelector'), problems);
  validateLabelSelector(webhook.objectSelector, path.child('objectSelector'), problems);
  validateClientConfig(webhook.clientConfig, path.child('clientConfig'), problems);
  validateMatchConditions(webhook.matchConditions, path.child('matchConditions'), problems);
  validateReviewVersions(webhook.admissionReviewVersions ?? [], path.child('admissionReviewVersions'), problems);
}

const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/** The server speaks two versions of the question; a webhook that knows neither cannot be asked. */
function validateReviewVersions(versions: readonly string[], path: Path, problems: Problems): void {
  const choices = REVIEW_VERSIONS.join(', ');
  if (versions.length === 0) {
    problems.required(path, `must specify one of ${choices}`);
    return;
  }
  const isRepeated = seenBefore();
  versions.forEach((version, at) => {
    const problem = isRepeated(version) ? 'duplicate version' : dns1035Label(version);
    if (problem !== undefined) problems.invalid(path.index(at), version, problem);
  });
  if (!versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    problems.invalid(path, versions, `must include at least one of ${choices}`);
  }
}
