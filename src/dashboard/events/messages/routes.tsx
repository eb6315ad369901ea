import type { BlankSchema } from 'hono/types'
import { Hono } from '../../../http/hono.ts'
import { editors } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { renderCancelPage, saveCancellation } from './cancel-page.tsx'
import { renderMovedPage, saveChangeMessage } from './change-page.tsx'
import { renderMailingPage, renderSentPage } from './sent-pages.tsx'
import { renderStatePage, renderWritePage, saveMessage } from './write-page.tsx'

/** The messages about an event. Only editors see addresses. */
export const messageRoutes = new Hono<DashboardEnv, BlankSchema, '/:eventId/messages'>()
  .use(...editors('Your role allows you to read records but not to write to people.'))
  .get('/', (c) => renderWritePage(c, c.req.param('eventId')))
  .post('/', (c) => saveMessage(c, c.req.param('eventId')))
  .get('/change', (c) => renderMovedPage(c, c.req.param('eventId')))
  .post('/change', (c) => saveChangeMessage(c, c.req.param('eventId')))
  .get('/state', (c) => renderStatePage(c, c.req.param('eventId')))
  .get('/cancel', (c) => renderCancelPage(c, c.req.param('eventId')))
  .post('/cancel', (c) => saveCancellation(c, c.req.param('eventId')))
  .get('/sent', (c) => renderSentPage(c, c.req.param('eventId')))
  .get('/sent/:id', (c) => renderMailingPage(c, c.req.param('eventId'), c.req.param('id')))
