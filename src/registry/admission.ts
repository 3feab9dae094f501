import type { UserInfo } from '../api/user.ts';
import type { Deadline } from '../runtime/deadline.ts';
import type { Draft } from '../schema/draft.ts';
import type { Struct, TypeMeta } from '../schema/schema.ts';
import type { Conversions } from './conversions.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';

/** How fully a request must be recorded for an annotation to be kept. */
export type AnnotationLevel = 'Metadata' | 'Request';

/** What a client can say about how something is to be done, besides that it is only to be tried. */
export interface OperationOptions {
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** What travels under a name of its own and is not stored. */
export interface PostedType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: Struct<TypeMeta>;
}

/** How an admission webhook was asked, and what came of it. */
export interface WebhookCall {
  readonly configuration: string;
  readonly webhook: string;
  readonly phase: 'mutating' | 'validating';
  readonly milliseconds: number;
  /** `failed`: there was no answer that makes sense, and the request went on; or was refused because of that. */
  readonly outcome: 'allowed' | 'refused' | 'failed' | 'failed and refused';
}

/** What admission asks about a request. */
export interface StepName {
  readonly type: 'Plugin' | 'Webhook' | 'Policy';
  readonly name: string;
  /** The configuration or binding that it is asked because of; '' for plugins. */
  readonly within: string;
}

export type AdmissionPhase = 'Mutating' | 'Validating';

/** Follows admission step by step, for those who ask what it does with a request. */
export interface AdmissionSteps {
  /** All are asked from here on, for the first time (0) or once more. Ends what an earlier attempt has left. */
  phase(phase: AdmissionPhase, round: number, request: AdmissionRequest): Promise<void>;
  passedOver(step: StepName): void;
  begin(step: StepName, request: AdmissionRequest): OpenStep;
  /** After a step that may change the object, before anything else does: finds out what it changed, in turns. */
  settle(): Promise<void>;
  /** Of the step that is under way. */
  warned(text: string): void;
  annotated(key: string, value: string): void;
}

/** A step that is under way. */
export interface OpenStep {
  /** Something that it does not like, and that does not decide by itself. */
  found(text: string): void;
  /** Does something that warns and annotates on its behalf. */
  during(work: () => void): void;
  /** `failure`: it could not be made, or refused the request; `isRefusal` false: the request goes on all the same. */
  end(failure?: unknown, isRefusal?: boolean): void;
}

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What admission is asked about. `Written` and `Old` are what the objects are, for those who know. */
export interface AdmissionRequest<Written = ApiObject | undefined, Old = ApiObject | undefined> {
  readonly operation: Operation;
  readonly type: ResourceType;
  /** The version the client speaks, where it is not `type`, in which objects are stored and shown here. */
  readonly requestedAs?: ResourceType | undefined;
  /** What `object` or `connection` is, where it is no object of `type`: what was posted to have something done with it. */
  readonly posted?: PostedType | undefined;
  readonly subresource: string;
  readonly namespace: string;
  /** '' on create when the name is still to be generated. */
  readonly name: string;
  /** Absent on delete and connect. */
  readonly object: Written;
  /** Absent on create and connect. */
  readonly oldObject: Old;
  /**
   * On connect alone: the options it is done with, such as a PodExecOptions. They are no object that could be stored, and
   * have no metadata. May be changed by the mutating phase, as the object may.
   */
  connection?: TypeMeta;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Absent where nothing was said. */
  readonly options?: OperationOptions | undefined;
  /** Of kinds that have to be asked for other versions of an object. */
  readonly conversions?: Conversions | undefined;
  /** Until when there is to be an answer; absent where nobody waits for one. */
  readonly deadline?: Deadline | undefined;
  /** Texts for the client's Warning headers. */
  warn(text: string): void;
  /** As `RequestContext.annotate`: for whoever records requests. */
  annotate(key: string, value: string, level?: AnnotationLevel): void;
  /** Told how long, in milliseconds, a webhook kept the request waiting. */
  waited(milliseconds: number): void;
  /** As `RequestContext.called`. */
  called?: ((call: WebhookCall) => void) | undefined;
  /** Told of every step; absent for nearly all requests. */
  readonly steps?: AdmissionSteps | undefined;
  /** As `whenOver` says. On create and update alone. */
  over?: ((failure: unknown) => void) | undefined;
}

/** As the mutating phase is asked: it may change the object, or put another in its place. */
export interface MutatingRequest<Written = Draft<ApiObject> | undefined, Old = ApiObject | undefined>
  extends AdmissionRequest<Written, Old> {
  object: Written;
}

/**
 * Calls back when the write that has been admitted is over: with nothing when it was stored, otherwise with the reason
 * why it was not.
 */
export function whenOver(request: AdmissionRequest, callback: (failure: unknown) => void): void {
  const { over } = request;
  request.over = (failure) => {
    over?.(failure);
    callback(failure);
  };
}

/** The chain as the registry sees it. Both phases throw an ApiError to refuse. */
export interface Admission {
  mutate(request: MutatingRequest): void | Promise<void>;
  validate(request: AdmissionRequest): void | Promise<void>;
}

export const NO_ADMISSION: Admission = { mutate: () => {}, validate: () => {} };
