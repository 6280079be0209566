-- What a worker may do, and nothing else: read what is to be judged, write what came out, take jobs.
-- It cannot read who submitted what, nor idempotency keys; it cannot submit, publish or delete submissions.
-- Run it as the owner of the tables after every upgrade: tensorgrade worker --grants | psql DATABASE
-- Then give the role a way to log in, such as: ALTER ROLE tensorgrade_worker LOGIN PASSWORD '...';

DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tensorgrade_worker') THEN
        CREATE ROLE tensorgrade_worker LOGIN;
    END IF;
END $$;

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM tensorgrade_worker;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM tensorgrade_worker;
GRANT USAGE ON SCHEMA public TO tensorgrade_worker;

-- Whether the tables are those of this release.
GRANT SELECT ON alembic_version TO tensorgrade_worker;

-- What is to be judged.
GRANT SELECT ON problems, problem_revisions, blobs TO tensorgrade_worker;
GRANT SELECT (id, mode, source, own, submitted_at_ms) ON submissions TO tensorgrade_worker;
GRANT SELECT (id, submission, problem, revision, state, attempt, priority, current, queued_at_ms)
    ON judgings TO tensorgrade_worker;

-- What came out.
GRANT UPDATE (state, attempt, client, verdict, reason, passed, total, mistake, report, judged_at_ms)
    ON judgings TO tensorgrade_worker;
GRANT INSERT ON case_results TO tensorgrade_worker;

-- The queue.
GRANT SELECT, INSERT, UPDATE, DELETE
    ON procrastinate_jobs, procrastinate_workers, procrastinate_events, procrastinate_periodic_defers
    TO tensorgrade_worker;
GRANT USAGE ON SEQUENCE
    procrastinate_jobs_id_seq, procrastinate_workers_id_seq, procrastinate_events_id_seq,
    procrastinate_periodic_defers_id_seq
    TO tensorgrade_worker;
