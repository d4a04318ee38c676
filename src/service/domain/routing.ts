import { AppError, type ErrorDetail } from '../../contract/errors.ts'
import { type FormQuestion, type FormResult, type FormRoute, isChoice } from '../../contract/routing-forms.ts'

/** An answer as it was sent in: to a question by its name or its UUID. */
export interface GivenAnswer {
  question: string
  answer: string
}

/** Each question of a form with its answer; null where there is none. */
export interface KeptAnswer {
  question_uuid: string | null
  question: string
  answer: string | null
}

/**
 * The answers as they are kept: one for each question, in the order of the form.
 * @throws one `invalid_argument` with a detail for each finding
 */
export function checkSubmission(questions: FormQuestion[], answers: GivenAnswer[]): KeptAnswer[] {
  const findings = [...answers.flatMap((_, index) => findingsAbout(questions, answers, index)), ...unanswered(questions, answers)]
  const [first, ...others] = findings
  if (first) {
    const message = others.length === 0 ? first.message : `${first.message} And ${others.length} more, see the details.`
    throw new AppError('invalid_argument', message, { details: findings })
  }
  return questions.map((question) => {
    const answer = answers.find((one) => isTo(question, one))?.answer.trim()
    return { question_uuid: question.uuid, question: question.name, answer: answer ? answer : null }
  })
}

/** Where the answers lead: the result of the first route whose conditions all hold, else the fallback. */
export function resultOf({ routes, fallback }: { routes: FormRoute[]; fallback: FormResult }, answers: KeptAnswer[]): FormResult {
  const fitting = routes.find(({ conditions }) => conditions.every((condition) => holds(condition, answers)))
  return fitting ? fitting.result : fallback
}

/** What is wrong with routes: conditions on what is not asked, or on a choice that cannot be made. */
export function findingsInRoutes(routes: FormRoute[], questions: Omit<FormQuestion, 'uuid'>[]): ErrorDetail[] {
  return routes.flatMap(({ conditions }, route) =>
    conditions.flatMap(({ question, operator, value }, index): ErrorDetail[] => {
      const parameter = `routes[${route}].conditions[${index}]`
      const asked = questions.find((one) => one.name === question)
      if (!asked) return [{ parameter: `${parameter}.question`, message: `"${question}" is not asked.`, code: 'unknown_question' }]
      if (operator === 'contains' || !isChoice(asked.type) || asked.answer_choices?.some((choice) => same(choice, value))) return []
      const message = `"${question}" is answered with one of: ${asked.answer_choices?.join(', ')}.`
      return [{ parameter: `${parameter}.value`, message, code: 'invalid_answer' }]
    }),
  )
}

type Condition = FormRoute['conditions'][number]

function holds({ question, operator, value }: Condition, answers: KeptAnswer[]): boolean {
  const answer = answers.find((one) => one.question === question)?.answer ?? ''
  if (operator === 'contains') return keyOf(answer).includes(keyOf(value))
  return same(answer, value) === (operator === 'equals')
}

function findingsAbout(questions: FormQuestion[], answers: GivenAnswer[], index: number): ErrorDetail[] {
  const given = answers[index] as GivenAnswer
  const parameter = `questions_and_answers[${index}]`
  const asked = questions.find((question) => isTo(question, given))
  if (!asked) return [{ parameter: `${parameter}.question`, message: `"${given.question}" was not asked.`, code: 'unknown_question' }]
  if (answers.findIndex((one) => isTo(asked, one)) < index) {
    return [{ parameter: `${parameter}.question`, message: `"${asked.name}" is answered twice.`, code: 'duplicate_answer' }]
  }
  const answer = given.answer.trim()
  const problem = answer === '' ? asked.required && 'must be answered' : problemOf(asked, answer)
  return problem ? [{ parameter: `${parameter}.answer`, message: `"${asked.name}" ${problem}.`, code: 'invalid_answer' }] : []
}

function unanswered(questions: FormQuestion[], answers: GivenAnswer[]): ErrorDetail[] {
  return questions
    .filter((question) => question.required && !answers.some((one) => isTo(question, one)))
    .map(({ name }) => ({ parameter: 'questions_and_answers', message: `"${name}" must be answered.`, code: 'missing_answer' }))
}

/** What is wrong with an answer that is not empty. */
function problemOf({ type, answer_choices }: FormQuestion, answer: string): string | false {
  if (isChoice(type)) return !answer_choices?.includes(answer) && `must be answered with one of: ${answer_choices?.join(', ')}`
  if (type === 'email') return !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(answer) && 'must be answered with an e-mail address'
  if (type === 'phone') return !isPhone(answer) && 'must be answered with a phone number, such as +33 1 23 45 67 89'
  return type !== 'textarea' && answer.includes('\n') && 'must be answered on one line'
}

const isPhone = (answer: string): boolean => /^[\d +\-().]+$/.test(answer) && answer.replace(/\D/g, '').length >= 5
const isTo = ({ uuid, name }: FormQuestion, { question }: GivenAnswer): boolean => question === name || question === uuid
const keyOf = (text: string): string => text.trim().normalize('NFKC').toLowerCase()
const same = (one: string, other: string): boolean => keyOf(one) === keyOf(other)
