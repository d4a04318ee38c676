import { describe, expect, test } from 'vitest'
import type { AppError } from '../../../src/contract/errors.ts'
import type { FormQuestion, FormResult, FormRoute } from '../../../src/contract/routing-forms.ts'
import { checkSubmission, findingsInRoutes, type GivenAnswer, resultOf } from '../../../src/service/domain/routing.ts'

const asked = (name: string, type: FormQuestion['type'], more: Partial<FormQuestion> = {}): FormQuestion => ({
  uuid: `uuid of ${name}`,
  name,
  type,
  required: false,
  answer_choices: null,
  ...more,
})
const questions = [
  asked('Name', 'name', { required: true }),
  asked('E-mail', 'email'),
  asked('Phone', 'phone'),
  asked('Size', 'select', { answer_choices: ['Small', 'Large'] }),
  asked('Notes', 'textarea'),
]
const said = (question: string, answer: string): GivenAnswer => ({ question, answer })

function findings(...answers: GivenAnswer[]): string[] {
  try {
    checkSubmission(questions, answers)
    return []
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_argument' })
    return (error as AppError).details.map(({ parameter, message }) => `${parameter}: ${message}`)
  }
}

describe('answers to a routing form', () => {
  test('are kept in the order of the questions, by name or UUID, null where there is none', () => {
    const kept = checkSubmission(questions, [said('uuid of Size', 'Large'), said('Name', ' Ada '), said('Phone', '  ')])
    expect(kept.map(({ question, answer }) => [question, answer])).toEqual([
      ['Name', 'Ada'],
      ['E-mail', null],
      ['Phone', null],
      ['Size', 'Large'],
      ['Notes', null],
    ])
  })

  test('are refused with all findings at once', () => {
    const answers = [said('E-mail', 'ada@'), said('Phone', 'none'), said('Size', 'Huge'), said('uuid of Size', 'Small'), said('Hat', 'x')]
    expect(findings(...answers)).toEqual([
      'questions_and_answers[0].answer: "E-mail" must be answered with an e-mail address.',
      'questions_and_answers[1].answer: "Phone" must be answered with a phone number, such as +33 1 23 45 67 89.',
      'questions_and_answers[2].answer: "Size" must be answered with one of: Small, Large.',
      'questions_and_answers[3].question: "Size" is answered twice.',
      'questions_and_answers[4].question: "Hat" was not asked.',
      'questions_and_answers: "Name" must be answered.',
    ])
    expect(findings(said('Name', ' '))).toEqual(['questions_and_answers[0].answer: "Name" must be answered.'])
    expect(findings(said('Name', 'two\nlines'))).toEqual(['questions_and_answers[0].answer: "Name" must be answered on one line.'])
    expect(findings(said('Name', 'Ada'), said('Notes', 'two\nlines'))).toEqual([])
  })
})

describe('the result', () => {
  const link = (value: string): FormResult => ({ type: 'external_url', value })
  const route = (to: string, ...conditions: FormRoute['conditions']): FormRoute => ({ conditions, result: link(to) })
  const form = {
    routes: [
      route('both', { question: 'Size', operator: 'equals', value: 'large' }, { question: 'Notes', operator: 'contains', value: 'HELP' }),
      route('large', { question: 'Size', operator: 'equals', value: 'Large' }),
      route('named', { question: 'Name', operator: 'not_equals', value: 'Ada' }),
    ],
    fallback: link('fallback'),
  }
  const to = (...answers: GivenAnswer[]) => resultOf(form, checkSubmission(questions, answers)).value

  test('is that of the first route whose conditions all hold, else the fallback', () => {
    expect(to(said('Name', 'Ada'), said('Size', 'Large'), said('Notes', 'Please help me'))).toBe('both')
    expect(to(said('Name', 'Ada'), said('Size', 'Large'), said('Notes', 'Hello'))).toBe('large')
    expect(to(said('Name', 'Eve'))).toBe('named')
    expect(to(said('Name', 'ada'), said('Size', 'Small'))).toBe('fallback')
  })

  test('cannot hang on what is not asked, nor on a choice that there is not', () => {
    const wrong = [
      route('x', { question: 'Hat', operator: 'equals', value: 'x' }),
      route('y', { question: 'Size', operator: 'equals', value: 'Huge' }, { question: 'Size', operator: 'contains', value: 'arg' }),
    ]
    expect(findingsInRoutes(wrong, questions).map(({ parameter }) => parameter)).toEqual([
      'routes[0].conditions[0].question',
      'routes[1].conditions[0].value',
    ])
    expect(findingsInRoutes(form.routes, questions)).toEqual([])
  })
})
